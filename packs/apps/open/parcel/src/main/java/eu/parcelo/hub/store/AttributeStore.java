package eu.parcelo.hub.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Measurements and remarks of parcels, of whatever type they are. */
public final class AttributeStore {

    private final Map<String, Map<String, List<Object>>> values = new ConcurrentHashMap<>();

    public void add(String parcel, String name, Object value) {
        values.computeIfAbsent(parcel, p -> new ConcurrentHashMap<>()).computeIfAbsent(name, n -> new ArrayList<>()).add(value);
    }

    @SuppressWarnings("unchecked")
    public <T> List<T> all(String parcel, String name) {
        return (List<T>) values.getOrDefault(parcel, Map.of()).getOrDefault(name, List.of());
    }
}
