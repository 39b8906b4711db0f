package eu.parcelo.hub.service;

import eu.parcelo.hub.domain.Parcel;
import eu.parcelo.hub.store.AttributeStore;
import java.util.List;

public class WeighingService {

    private static final String WEIGHT = "weight";

    private final AttributeStore attributes;

    public WeighingService(AttributeStore attributes) {
        this.attributes = attributes;
    }

    /** Scales send kilograms, with a fraction or without. */
    public void weighed(String parcel, String text) {
        Number kg;
        if (text.contains(".")) {
            kg = Double.valueOf(text);
        } else {
            kg = Integer.valueOf(text);
        }
        attributes.add(parcel, WEIGHT, kg);
    }

    /** The heaviest of all weighings counts. */
    public double billable(Parcel parcel) {
        List<Number> weights = attributes.all(parcel.id(), WEIGHT);
        double max = 0;
        for (Number weight : weights) {
            max = Math.max(max, weight.doubleValue());
        }
        return max;
    }
}
