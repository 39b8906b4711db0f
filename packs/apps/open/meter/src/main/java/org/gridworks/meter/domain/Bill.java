package org.gridworks.meter.domain;

import java.util.Map;
import java.util.TreeMap;

public final class Bill {

    private final String meter;
    private final Map<String, Double> centsByZone = new TreeMap<>();

    public Bill(String meter) {
        this.meter = meter;
    }

    public void add(String zone, double cents) {
        centsByZone.merge(zone, cents, Double::sum);
    }

    public String meter() {
        return meter;
    }

    public long total() {
        return Math.round(centsByZone.values().stream().mapToDouble(Double::doubleValue).sum());
    }

    public Map<String, Double> centsByZone() {
        return centsByZone;
    }
}
