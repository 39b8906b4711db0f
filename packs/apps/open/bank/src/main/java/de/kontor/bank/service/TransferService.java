package de.kontor.bank.service;

import de.kontor.bank.domain.Account;
import de.kontor.bank.domain.AccountStatus;
import de.kontor.bank.domain.Booking;
import de.kontor.bank.domain.Transfer;
import de.kontor.bank.jdbc.TransactionManager;
import de.kontor.bank.repository.AccountRepository;
import de.kontor.bank.repository.BookingRepository;
import de.kontor.bank.repository.TransferRepository;
import java.time.LocalDate;

public class TransferService {

    private final TransactionManager transactions;
    private final AccountRepository accounts;
    private final BookingRepository bookings;
    private final TransferRepository transfers;

    public TransferService(TransactionManager transactions, AccountRepository accounts, BookingRepository bookings,
                           TransferRepository transfers) {
        this.transactions = transactions;
        this.accounts = accounts;
        this.bookings = bookings;
        this.transfers = transfers;
    }

    public int executePending(LocalDate day) {
        int done = 0;
        for (Transfer transfer : transfers.findPending()) {
            if (transactions.inTransaction(() -> execute(transfer, day))) {
                done++;
            }
        }
        return done;
    }

    /** Moves the money, unless one side must not or cannot. */
    private boolean execute(Transfer transfer, LocalDate day) {
        try {
            Account from = accounts.get(transfer.from());
            if (from.getStatus() != AccountStatus.OPEN || from.getBalance() < transfer.cents()) {
                return false;
            }
            Account to = accounts.get(transfer.to());
            if (to.getStatus() == AccountStatus.CLOSED) {
                return false;
            }
            move(from, -transfer.cents(), "TR-" + transfer.id(), day);
            move(to, transfer.cents(), "TR-" + transfer.id(), day);
            transfers.markDone(transfer.id());
            return true;
        } catch (RuntimeException e) {
            throw new TransferException("transfer " + transfer.id() + " failed", e);
        }
    }

    void move(Account account, long cents, String reference, LocalDate day) {
        account.book(cents);
        accounts.update(account);
        bookings.insert(new Booking(account.getIban(), reference, day, cents));
    }
}
