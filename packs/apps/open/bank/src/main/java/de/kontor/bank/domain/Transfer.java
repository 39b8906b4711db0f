package de.kontor.bank.domain;

public record Transfer(long id, String from, String to, long cents, boolean done) {
}
