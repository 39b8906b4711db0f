package org.acme;

public class Office {
    private final Ledger ledger;

    public Office(Ledger ledger) {
        this.ledger = ledger;
    }

    public int daily() {
        return ledger.report();
    }

    public void close() {
        daily();
    }
}
