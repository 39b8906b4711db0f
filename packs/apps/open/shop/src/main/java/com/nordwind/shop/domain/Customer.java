package com.nordwind.shop.domain;

import java.util.Objects;

public final class Customer {

    private final String id;
    private final String name;
    private final String email;
    private final Address address;
    private final CustomerGroup group;

    private Customer(Builder b) {
        this.id = Objects.requireNonNull(b.id, "id");
        this.name = Objects.requireNonNull(b.name, "name");
        this.email = b.email;
        this.address = Objects.requireNonNull(b.address, "address");
        this.group = b.group;
    }

    public static Builder builder(String id) {
        return new Builder(id);
    }

    public String id() {
        return id;
    }

    public String name() {
        return name;
    }

    public String email() {
        return email;
    }

    public Address address() {
        return address;
    }

    public CustomerGroup group() {
        return group;
    }

    public static final class Builder {
        private final String id;
        private String name;
        private String email;
        private Address address;
        private CustomerGroup group = CustomerGroup.PRIVATE;

        private Builder(String id) {
            this.id = id;
        }

        public Builder name(String name) {
            this.name = name;
            return this;
        }

        public Builder email(String email) {
            this.email = email;
            return this;
        }

        public Builder address(Address address) {
            this.address = address;
            return this;
        }

        public Builder group(CustomerGroup group) {
            this.group = group;
            return this;
        }

        public Customer build() {
            return new Customer(this);
        }
    }
}
