package de.kontor.bank.repository;

import de.kontor.bank.domain.Account;
import de.kontor.bank.domain.AccountStatus;
import de.kontor.bank.jdbc.JdbcClient;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

public class AccountRepository {

    private final JdbcClient jdbc;

    public AccountRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    public void insert(Account account) {
        jdbc.update("account " + account.getIban(), "insert into account values (?, ?, ?, ?, ?, ?)", account.getIban(),
                account.getOwner(), account.getProduct(), account.getStatus().name(), account.getBalance(), account.getAccrued());
    }

    public Account get(String iban) {
        return jdbc.query("account " + iban, this::map, "select * from account where iban = ?", iban).get(0);
    }

    public List<Account> findOpen() {
        return jdbc.query("accounts", this::map, "select * from account where status = 'OPEN' order by iban");
    }

    public void update(Account account) {
        jdbc.update("account " + account.getIban(), "update account set balance = ?, accrued = ? where iban = ?",
                account.getBalance(), account.getAccrued(), account.getIban());
    }

    /** Called by the compliance feed, which sends the status as it calls it. */
    public void changeStatus(String iban, String status) {
        jdbc.update("account " + iban, "update account set status = ? where iban = ?", status.trim().toUpperCase(), iban);
    }

    private Account map(ResultSet row) throws SQLException {
        return new Account(row.getString("iban"), row.getString("owner"), row.getString("product"),
                AccountStatus.valueOf(row.getString("status")), row.getLong("balance"), row.getLong("accrued"));
    }
}
