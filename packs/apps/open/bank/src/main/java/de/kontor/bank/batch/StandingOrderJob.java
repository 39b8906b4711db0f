package de.kontor.bank.batch;

import de.kontor.bank.service.StandingOrderService;
import java.time.LocalDate;

public class StandingOrderJob implements Job {

    private final StandingOrderService orders;

    public StandingOrderJob(StandingOrderService orders) {
        this.orders = orders;
    }

    @Override
    public String name() {
        return "standing-orders";
    }

    @Override
    public String run(LocalDate day) {
        return orders.executeDue(day) + " standing orders";
    }
}
