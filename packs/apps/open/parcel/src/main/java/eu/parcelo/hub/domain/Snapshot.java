package eu.parcelo.hub.domain;

import java.util.List;

/** What is kept of a parcel that has not moved for a while. */
public record Snapshot(String id, String customer, ParcelState state, int attempts, List<Stop> stops) {

    public Snapshot {
        stops = List.copyOf(stops);
    }
}
