package eu.parcelo.hub.store;

import eu.parcelo.hub.domain.Parcel;
import eu.parcelo.hub.domain.ParcelState;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Collectors;

public final class ParcelStore {

    private final Map<String, Parcel> parcels = new ConcurrentSkipListMap<>();

    public void put(Parcel parcel) {
        parcels.put(parcel.id(), parcel);
    }

    public Parcel get(String id) {
        Parcel parcel = parcels.get(id);
        if (parcel == null) {
            throw new UnknownParcelException(id);
        }
        return parcel;
    }

    public List<Parcel> ofCustomer(String customer) {
        return parcels.values().stream().filter(p -> p.customer().equals(customer)).collect(Collectors.toList());
    }

    /** Parcels that lie in a depot are stored anew, without what only moving ones need. */
    public int compact() {
        int n = 0;
        for (Parcel parcel : parcels.values()) {
            if (parcel.state() == ParcelState.AT_DEPOT) {
                put(parcel.compacted());
                n++;
            }
        }
        return n;
    }
}
