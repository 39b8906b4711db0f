package de.kontor.bank.batch;

import java.time.LocalDate;

public interface Job {

    String name();

    /** Does the work of a day and says what was done. */
    String run(LocalDate day);
}
