package org.lindenhof.clinic.domain;

import java.time.LocalDate;
import java.time.Period;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

public final class Patient {

    private final String id;
    private final String name;
    private final LocalDate born;
    private final Insurance insurance;
    private final List<String> allergies;

    private Patient(Builder builder) {
        id = Objects.requireNonNull(builder.id, "id");
        name = Objects.requireNonNull(builder.name, "name");
        born = builder.born;
        insurance = builder.insurance == null ? new Insurance.SelfPayer() : builder.insurance;
        allergies = List.copyOf(builder.allergies);
    }

    public static Builder withId(String id) {
        return new Builder(id);
    }

    public String id() {
        return id;
    }

    public String name() {
        return name;
    }

    public Insurance insurance() {
        return insurance;
    }

    public List<String> allergies() {
        return allergies;
    }

    public int ageOn(LocalDate day) {
        return Period.between(born, day).getYears();
    }

    public static final class Builder {

        private final String id;
        private String name;
        private LocalDate born;
        private Insurance insurance;
        private final List<String> allergies = new ArrayList<>();

        private Builder(String id) {
            this.id = id;
        }

        public Builder name(String value) {
            name = value;
            return this;
        }

        public Builder born(LocalDate value) {
            born = value;
            return this;
        }

        public Builder insuredBy(Insurance value) {
            insurance = value;
            return this;
        }

        public Builder allergicTo(String value) {
            allergies.add(value);
            return this;
        }

        public Patient build() {
            return new Patient(this);
        }
    }
}
