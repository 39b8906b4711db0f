package de.kontor.bank.domain;

import java.time.LocalDate;

public record Booking(String iban, String reference, LocalDate date, long cents) {
}
