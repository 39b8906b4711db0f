package eu.parcelo.hub.domain;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;

/** The depots that a parcel goes through; the last one delivers it. */
public final class Route {

    private final List<Stop> stops;

    private Route(List<Stop> stops) {
        this.stops = stops;
    }

    public static Route through(Collection<Stop> stops) {
        if (stops.isEmpty()) {
            throw new IllegalArgumentException("a route needs a stop");
        }
        return new Route(new ArrayList<>(stops));
    }

    static Route restore(Snapshot snapshot) {
        return new Route(new ArrayList<>(snapshot.stops()));
    }

    public List<Stop> stops() {
        return Collections.unmodifiableList(stops);
    }

    public Stop last() {
        return stops.get(stops.size() - 1);
    }

    public void detour(Stop stop) {
        if (!stops.contains(stop)) {
            stops.add(stops.size() - 1, stop);
        }
    }

    public int minutes() {
        return stops.stream().mapToInt(Stop::minutes).sum();
    }
}
