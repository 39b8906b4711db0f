package de.kontor.bank.domain;

public enum AccountStatus {
    OPEN, BLOCKED, CLOSED
}
