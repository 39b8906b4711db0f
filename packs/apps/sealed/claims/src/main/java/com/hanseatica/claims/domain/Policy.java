package com.hanseatica.claims.domain;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

public final class Policy {

    private final String number;
    private final Region region;
    private final LocalDate from;
    private final LocalDate until;
    private final List<Cover> covers;
    private final List<CoInsurer> coInsurers;

    private Policy(Builder builder) {
        number = builder.number;
        region = Objects.requireNonNull(builder.region, "region");
        from = Objects.requireNonNull(builder.from, "from");
        until = builder.until == null ? builder.from.plusYears(1) : builder.until;
        covers = List.copyOf(builder.covers);
        coInsurers = List.copyOf(builder.coInsurers);
    }

    public static Builder number(String number) {
        return new Builder(number);
    }

    public String number() {
        return number;
    }

    public Region region() {
        return region;
    }

    public List<Cover> covers() {
        return covers;
    }

    public List<CoInsurer> coInsurers() {
        return coInsurers;
    }

    public boolean isInForce(LocalDate day) {
        return !day.isBefore(from) && day.isBefore(until);
    }

    public static final class Builder {

        private final String number;
        private final List<Cover> covers = new ArrayList<>();
        private final List<CoInsurer> coInsurers = new ArrayList<>();
        private Region region;
        private LocalDate from;
        private LocalDate until;

        private Builder(String number) {
            this.number = Objects.requireNonNull(number);
        }

        public Builder in(Region value) {
            region = value;
            return this;
        }

        public Builder from(LocalDate value) {
            from = value;
            return this;
        }

        public Builder until(LocalDate value) {
            until = value;
            return this;
        }

        public Builder covering(Cover cover) {
            covers.add(cover);
            return this;
        }

        public Builder with(CoInsurer coInsurer) {
            coInsurers.add(coInsurer);
            return this;
        }

        public Policy build() {
            if (from != null && until != null && !from.isBefore(until)) {
                throw new IllegalArgumentException("policy " + number + " ends before it begins");
            }
            return new Policy(this);
        }
    }
}
