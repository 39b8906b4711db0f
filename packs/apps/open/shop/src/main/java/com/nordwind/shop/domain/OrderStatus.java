package com.nordwind.shop.domain;

public enum OrderStatus {
    NEW, PAID, SHIPPED, DELIVERED, REFUNDED, CANCELLED;

    public boolean canBecome(OrderStatus next) {
        return switch (this) {
            case NEW -> next == PAID || next == CANCELLED;
            case PAID -> next == SHIPPED || next == REFUNDED || next == CANCELLED;
            case SHIPPED -> next == DELIVERED || next == REFUNDED;
            case DELIVERED -> next == REFUNDED;
            case REFUNDED, CANCELLED -> false;
        };
    }

    public boolean isOpen() {
        return this == NEW || this == PAID;
    }
}
