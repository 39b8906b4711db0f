package com.nordwind.shop.domain;

public enum CustomerGroup {
    PRIVATE(0), BUSINESS(5), STAFF(20);

    private final int discountPercent;

    CustomerGroup(int discountPercent) {
        this.discountPercent = discountPercent;
    }

    public int discountPercent() {
        return discountPercent;
    }
}
