package eu.parcelo.hub.service;

import eu.parcelo.hub.domain.Event;
import eu.parcelo.hub.domain.Parcel;
import eu.parcelo.hub.domain.Route;
import eu.parcelo.hub.store.AttributeStore;
import eu.parcelo.hub.store.ParcelStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

public class TrackingService {

    private static final Logger LOG = LoggerFactory.getLogger(TrackingService.class);

    private final ParcelStore parcels;
    private final AttributeStore attributes;

    public TrackingService(ParcelStore parcels, AttributeStore attributes) {
        this.parcels = parcels;
        this.attributes = attributes;
    }

    public void announce(String id, String customer, Route route) {
        parcels.put(new Parcel(id, customer, route));
        LOG.info("{} announced, goes to {}", id, route.last().depot());
    }

    public void scan(String id, String code, String remark) {
        Parcel parcel = parcels.get(id);
        parcel.apply(Event.valueOf(code));
        if (!remark.isEmpty()) {
            attributes.add(id, "remark", remark);
        }
        LOG.info("{} {} -> {}", id, code, parcel.state());
    }
}
