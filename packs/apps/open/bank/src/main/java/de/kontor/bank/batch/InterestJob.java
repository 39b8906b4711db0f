package de.kontor.bank.batch;

import de.kontor.bank.service.InterestService;
import java.time.LocalDate;

public class InterestJob implements Job {

    private final InterestService interest;

    public InterestJob(InterestService interest) {
        this.interest = interest;
    }

    @Override
    public String name() {
        return "interest";
    }

    @Override
    public String run(LocalDate day) {
        return interest.accrue(day) + " accounts";
    }
}
