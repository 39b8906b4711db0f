package eu.parcelo.hub.domain;

import java.util.List;

/** What is kept of a parcel that has not moved for a while. */
record Snapshot(String id, String customer, ParcelState state, int attempts, List<Stop> stops) {

    Snapshot {
        stops = List.copyOf(stops);
    }
}
