package org.gridworks.meter.service;

import java.util.List;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import org.gridworks.meter.domain.Bill;
import org.gridworks.meter.domain.Reading;
import org.gridworks.meter.domain.Tariff;

public class BillingService {

    private static final Logger LOG = Logger.getLogger(BillingService.class.getName());

    private final ReadingStore store;
    private final Tariff tariff;

    public BillingService(ReadingStore store, Tariff tariff) {
        this.store = store;
        this.tariff = tariff;
    }

    public List<Bill> bills() {
        LOG.info("billing " + store.meters().size() + " meters by " + tariff.name());
        return store.meters().stream().map(this::bill).collect(Collectors.toList());
    }

    private Bill bill(String meter) {
        Bill bill = new Bill(meter);
        Reading last = null;
        for (Reading reading : store.of(meter)) {
            if (last != null) {
                charge(bill, last, reading.kwh() - last.kwh());
            }
            last = reading;
        }
        return bill;
    }

    private void charge(Bill bill, Reading from, double kwh) {
        tariff.zoneAt(from.at().getHour())
                .ifPresent(zone -> bill.add(zone.name(), kwh * zone.centsPerKwh()));
    }
}
