package org.lindenhof.clinic.domain;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Insurance.Statutory.class, name = "statutory"),
    @JsonSubTypes.Type(value = Insurance.Private.class, name = "private"),
    @JsonSubTypes.Type(value = Insurance.SelfPayer.class, name = "self")
})
public sealed interface Insurance {

    /** What a point is multiplied with. */
    double factor();

    record Statutory(String fund, String number) implements Insurance {
        @Override
        public double factor() {
            return 1.0;
        }
    }

    record Private(String company, String contract, double factor) implements Insurance {
    }

    record SelfPayer() implements Insurance {
        @Override
        public double factor() {
            return 2.3;
        }
    }
}
