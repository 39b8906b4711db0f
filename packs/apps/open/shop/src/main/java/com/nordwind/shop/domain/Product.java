package com.nordwind.shop.domain;

public record Product(String sku, String name, Money price, boolean discontinued) {

    public Product(String sku, String name, Money price) {
        this(sku, name, price, false);
    }

    public Product discontinue() {
        return new Product(sku, name, price, true);
    }
}
