package de.kontor.bank.service;

import de.kontor.bank.domain.Account;
import de.kontor.bank.domain.Product;
import java.time.LocalDate;

public class InterestCalculator {

    /** Interest of one day, in thousandths of a cent. */
    public long ofDay(Account account, Product product, LocalDate day) {
        if (account.getBalance() <= 0 || product.rateBp() == 0) {
            return 0;
        }
        return account.getBalance() * product.rateBp() / 10 / product.daysOfYear(day.getYear());
    }
}
