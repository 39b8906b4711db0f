package de.kontor.bank.service;

import de.kontor.bank.domain.Account;
import de.kontor.bank.domain.Product;
import de.kontor.bank.jdbc.TransactionManager;
import de.kontor.bank.repository.AccountRepository;
import de.kontor.bank.repository.ProductRepository;
import java.time.LocalDate;
import java.util.Map;

public class InterestService {

    private final TransactionManager transactions;
    private final AccountRepository accounts;
    private final ProductRepository products;
    private final InterestCalculator calculator;

    public InterestService(TransactionManager transactions, AccountRepository accounts, ProductRepository products,
                           InterestCalculator calculator) {
        this.transactions = transactions;
        this.accounts = accounts;
        this.products = products;
        this.calculator = calculator;
    }

    public int accrue(LocalDate day) {
        return transactions.inTransaction(() -> {
            Map<String, Product> terms = products.byCode();
            int changed = 0;
            for (Account account : accounts.findOpen()) {
                account.accrue(calculator.ofDay(account, terms.get(account.getProduct()), day));
                accounts.update(account);
                changed++;
            }
            return changed;
        });
    }
}
