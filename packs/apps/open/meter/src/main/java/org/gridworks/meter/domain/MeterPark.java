package org.gridworks.meter.domain;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** All meters, by id and by parent. */
public final class MeterPark {

    private final Map<String, Meter> byId = new LinkedHashMap<>();

    public MeterPark(Collection<Meter> meters) {
        meters.forEach(meter -> byId.put(meter.getId(), meter));
    }

    public Optional<Meter> find(String id) {
        return Optional.ofNullable(byId.get(id));
    }

    public List<Meter> behind(Meter meter) {
        return byId.values().stream().filter(m -> meter.getId().equals(m.getParent())).collect(Collectors.toList());
    }

    public List<Meter> roots() {
        return byId.values().stream().filter(m -> m.getParent() == null).collect(Collectors.toList());
    }
}
