package de.kontor.bank.domain;

public final class Account {

    private final String iban;
    private final String owner;
    private final String product;
    private final AccountStatus status;
    private long balance;
    private long accrued;

    public Account(String iban, String owner, String product, AccountStatus status, long balance, long accrued) {
        this.iban = iban;
        this.owner = owner;
        this.product = product;
        this.status = status;
        this.balance = balance;
        this.accrued = accrued;
    }

    public String getIban() {
        return iban;
    }

    public String getOwner() {
        return owner;
    }

    public String getProduct() {
        return product;
    }

    public AccountStatus getStatus() {
        return status;
    }

    public long getBalance() {
        return balance;
    }

    public long getAccrued() {
        return accrued;
    }

    public void book(long cents) {
        balance += cents;
    }

    public void accrue(long cents) {
        accrued += cents;
    }
}
