package org.gridworks.meter.domain;

import java.util.List;
import java.util.Optional;

public final class Tariff {

    private final String name;
    private final List<Zone> zones;

    public Tariff(String name, List<Zone> zones) {
        this.name = name;
        this.zones = List.copyOf(zones);
    }

    public String name() {
        return name;
    }

    public Optional<Zone> zoneAt(int hour) {
        return zones.stream().filter(zone -> zone.covers(hour)).findFirst();
    }
}
