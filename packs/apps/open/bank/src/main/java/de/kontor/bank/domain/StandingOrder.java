package de.kontor.bank.domain;

import java.time.LocalDate;

public record StandingOrder(long id, String from, String to, long cents, Rhythm rhythm, LocalDate next) {

    public StandingOrder executed() {
        return new StandingOrder(id, from, to, cents, rhythm, rhythm.after(next));
    }
}
