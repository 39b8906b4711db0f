package com.nordwind.shop.domain;

import java.time.LocalDate;

public record Authorisation(String reference, LocalDate validUntil) {
}
