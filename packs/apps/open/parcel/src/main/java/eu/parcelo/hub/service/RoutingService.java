package eu.parcelo.hub.service;

import eu.parcelo.hub.domain.Parcel;
import eu.parcelo.hub.domain.ParcelState;
import eu.parcelo.hub.domain.Stop;
import eu.parcelo.hub.store.ParcelStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

public class RoutingService {

    private static final Logger LOG = LoggerFactory.getLogger(RoutingService.class);

    private final ParcelStore parcels;

    public RoutingService(ParcelStore parcels) {
        this.parcels = parcels;
    }

    public int reroute(String id, Stop via) {
        Parcel parcel = parcels.get(id);
        if (parcel.state() == ParcelState.ON_VAN || parcel.state() == ParcelState.DELIVERED) {
            LOG.warn("{} cannot be rerouted, it is {}", id, parcel.state());
            return 0;
        }
        parcel.route().detour(via);
        LOG.info("{} goes via {}, {} minutes", id, via.depot(), parcel.route().minutes());
        return parcel.route().minutes();
    }
}
