package de.kontor.bank.batch;

import de.kontor.bank.service.TransferService;
import java.time.LocalDate;

public class TransferJob implements Job {

    private final TransferService transfers;

    public TransferJob(TransferService transfers) {
        this.transfers = transfers;
    }

    @Override
    public String name() {
        return "transfers";
    }

    @Override
    public String run(LocalDate day) {
        return transfers.executePending(day) + " transfers";
    }
}
