package io.viaduct.tolls.store;

import io.viaduct.tolls.domain.Gantry;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Gantries by road and number. */
public class GantryStore {

    private final Map<String, Map<Integer, Gantry>> roads = new ConcurrentHashMap<>();

    public void save(Gantry gantry) {
        roads.computeIfAbsent(gantry.road(), r -> new ConcurrentHashMap<>()).put(gantry.number(), gantry);
    }

    public Optional<Gantry> find(String id) {
        int dash = id.lastIndexOf('-');
        if (dash < 0) {
            return Optional.empty();
        }
        return Optional.ofNullable(roads.get(id.substring(0, dash)))
                .map(road -> road.get(Integer.valueOf(id.substring(dash + 1))));
    }
}
