package com.nordwind.shop.domain;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

public final class Order {

    private final long id;
    private final String customerId;
    private final List<OrderLine> lines;
    private OrderStatus status = OrderStatus.NEW;
    private Payment payment;
    private LocalDate paidOn;
    private Money total;

    private Order(Builder b) {
        this.id = b.id;
        this.customerId = Objects.requireNonNull(b.customerId, "customerId");
        this.lines = List.copyOf(b.lines);
        if (lines.isEmpty()) {
            throw new IllegalArgumentException("order " + id + " has no lines");
        }
    }

    public static Builder builder(long id) {
        return new Builder(id);
    }

    public long id() {
        return id;
    }

    public String customerId() {
        return customerId;
    }

    public List<OrderLine> lines() {
        return lines;
    }

    public OrderStatus status() {
        return status;
    }

    public Optional<Payment> payment() {
        return Optional.ofNullable(payment);
    }

    public LocalDate paidOn() {
        return paidOn;
    }

    public Money total() {
        return total;
    }

    public void price(Money newTotal) {
        this.total = newTotal;
    }

    public void pay(Payment newPayment, LocalDate date) {
        moveTo(OrderStatus.PAID);
        this.payment = newPayment;
        this.paidOn = date;
    }

    public void moveTo(OrderStatus next) {
        if (!status.canBecome(next)) {
            throw new IllegalStateException("order " + id + " cannot go from " + status + " to " + next);
        }
        status = next;
    }

    public static final class Builder {
        private final long id;
        private String customerId;
        private final List<OrderLine> lines = new ArrayList<>();

        private Builder(long id) {
            this.id = id;
        }

        public Builder customer(String customerId) {
            this.customerId = customerId;
            return this;
        }

        public Builder line(String sku, int quantity) {
            lines.add(new OrderLine(sku, quantity));
            return this;
        }

        public Order build() {
            return new Order(this);
        }
    }
}
