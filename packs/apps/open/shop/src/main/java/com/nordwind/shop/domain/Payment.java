package com.nordwind.shop.domain;

import java.time.LocalDate;

public sealed interface Payment {

    Money amount();

    record Card(Authorisation authorisation, Money amount) implements Payment {
    }

    record Invoice(LocalDate due, Money amount) implements Payment {
    }

    record GiftCard(String code, Money amount) implements Payment {
    }
}
