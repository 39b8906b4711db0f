package com.nordwind.shop.domain;

public record OrderLine(String sku, int quantity) {

    public OrderLine {
        if (quantity < 1) {
            throw new IllegalArgumentException("quantity of " + sku + " must be positive");
        }
    }
}
