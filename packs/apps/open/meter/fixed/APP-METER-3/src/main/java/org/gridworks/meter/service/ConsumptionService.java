package org.gridworks.meter.service;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.gridworks.meter.domain.Meter;
import org.gridworks.meter.domain.MeterPark;
import org.gridworks.meter.domain.Reading;

/** What went through a meter and through those that hang behind it. */
public class ConsumptionService {

    private final MeterPark park;
    private final ReadingStore store;

    public ConsumptionService(MeterPark park, ReadingStore store) {
        this.park = park;
        this.store = store;
    }

    public double total(String id) {
        return park.find(id).map(meter -> total(meter, new HashSet<>())).orElse(0.0);
    }

    private double total(Meter meter, Set<String> seen) {
        return seen.add(meter.getId()) ? own(meter) + behind(meter, seen) : 0;
    }

    private double behind(Meter meter, Set<String> seen) {
        return park.behind(meter).stream().mapToDouble(child -> total(child, seen) * child.getFactor()).sum();
    }

    private double own(Meter meter) {
        List<Reading> readings = store.of(meter.getId());
        return readings.isEmpty() ? 0 : readings.get(readings.size() - 1).kwh() - readings.get(0).kwh();
    }
}
