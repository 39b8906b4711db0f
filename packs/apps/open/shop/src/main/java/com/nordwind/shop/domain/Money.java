package com.nordwind.shop.domain;

import java.util.Locale;

public record Money(long cents, String currency) {

    public static Money zero(String currency) {
        return new Money(0, currency);
    }

    public static Money of(long units, int cents, String currency) {
        return new Money(units * 100 + cents, currency);
    }

    public Money plus(Money other) {
        requireSame(other);
        return new Money(cents + other.cents, currency);
    }

    public Money minus(Money other) {
        requireSame(other);
        return new Money(cents - other.cents, currency);
    }

    public Money times(int quantity) {
        return new Money(cents * quantity, currency);
    }

    public Money percent(int percent) {
        return new Money(Math.round(cents * percent / 100.0), currency);
    }

    private void requireSame(Money other) {
        if (!currency.equals(other.currency)) {
            throw new IllegalArgumentException("cannot mix " + currency + " and " + other.currency);
        }
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%.2f %s", cents / 100.0, currency);
    }
}
