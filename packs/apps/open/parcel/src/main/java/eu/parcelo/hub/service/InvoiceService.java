package eu.parcelo.hub.service;

import eu.parcelo.hub.domain.Parcel;
import eu.parcelo.hub.domain.ParcelState;
import eu.parcelo.hub.store.ParcelStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

public class InvoiceService {

    private static final Logger LOG = LoggerFactory.getLogger(InvoiceService.class);

    private final ParcelStore parcels;
    private final WeighingService weighing;

    public InvoiceService(ParcelStore parcels, WeighingService weighing) {
        this.parcels = parcels;
        this.weighing = weighing;
    }

    public long invoice(String customer) {
        long cents = parcels.ofCustomer(customer).stream()
                .filter(parcel -> parcel.state() == ParcelState.DELIVERED)
                .mapToLong(this::price)
                .sum();
        LOG.info("{} owes {} cents", customer, cents);
        return cents;
    }

    private long price(Parcel parcel) {
        return 390 + Math.round(weighing.billable(parcel) * 55) + parcel.route().stops().size() * 20L;
    }
}
