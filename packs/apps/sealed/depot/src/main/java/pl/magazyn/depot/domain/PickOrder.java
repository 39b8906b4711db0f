package pl.magazyn.depot.domain;

import java.util.ArrayList;
import java.util.List;

public final class PickOrder {

    private final int id;
    private final String customer;
    private final String tour;
    private final List<OrderLine> lines;

    private PickOrder(Builder builder) {
        id = builder.id;
        customer = builder.customer;
        tour = builder.tour;
        lines = List.copyOf(builder.lines);
    }

    public static Builder builder(int id) {
        return new Builder(id);
    }

    public int id() {
        return id;
    }

    public String customer() {
        return customer;
    }

    public String tour() {
        return tour;
    }

    public List<OrderLine> lines() {
        return lines;
    }

    public static final class Builder {

        private final int id;
        private final List<OrderLine> lines = new ArrayList<>();
        private String customer = "";
        private String tour = "none";

        private Builder(int id) {
            this.id = id;
        }

        public Builder customer(String value) {
            customer = value;
            return this;
        }

        public Builder tour(String value) {
            tour = value;
            return this;
        }

        public Builder line(String sku, int quantity) {
            lines.add(new OrderLine(lines.size() + 1, sku, quantity));
            return this;
        }

        public PickOrder build() {
            return new PickOrder(this);
        }
    }
}
