package org.gridworks.meter.service;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.gridworks.meter.domain.Reading;

public class ReadingStore {

    private final Map<String, List<Reading>> byMeter = new TreeMap<>();

    public void addAll(Collection<Reading> readings) {
        readings.forEach(r -> byMeter.computeIfAbsent(r.meter(), m -> new ArrayList<>()).add(r));
        byMeter.values().forEach(list -> list.sort(Comparator.comparing(Reading::at)));
    }

    public Set<String> meters() {
        return byMeter.keySet();
    }

    public List<Reading> of(String meter) {
        return byMeter.getOrDefault(meter, List.of());
    }
}
