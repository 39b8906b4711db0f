package de.kontor.bank.service;

import de.kontor.bank.domain.Account;
import de.kontor.bank.domain.Rhythm;
import de.kontor.bank.domain.StandingOrder;
import de.kontor.bank.jdbc.TransactionManager;
import de.kontor.bank.repository.AccountRepository;
import de.kontor.bank.repository.StandingOrderRepository;
import java.time.LocalDate;
import java.time.YearMonth;
import java.util.List;

public class StandingOrderService {

    private final TransactionManager transactions;
    private final AccountRepository accounts;
    private final StandingOrderRepository orders;
    private final TransferService transfers;

    public StandingOrderService(TransactionManager transactions, AccountRepository accounts, StandingOrderRepository orders,
                                TransferService transfers) {
        this.transactions = transactions;
        this.accounts = accounts;
        this.orders = orders;
        this.transfers = transfers;
    }

    public int executeDue(LocalDate day) {
        return transactions.inTransaction(() -> {
            List<StandingOrder> due = orders.findDue(day);
            due.forEach(order -> execute(order, day));
            return due.size();
        });
    }

    private void execute(StandingOrder order, LocalDate day) {
        String reference = "SO-" + order.id() + "-" + (order.rhythm() == Rhythm.MONTHLY ? YearMonth.from(order.next()) : order.next());
        Account from = accounts.get(order.from());
        if (from.getBalance() >= order.cents()) {
            transfers.move(from, -order.cents(), reference, day);
            transfers.move(accounts.get(order.to()), order.cents(), reference, day);
        }
        orders.update(order.executed());
    }
}
