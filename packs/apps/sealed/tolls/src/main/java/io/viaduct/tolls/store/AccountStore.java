package io.viaduct.tolls.store;

import io.viaduct.tolls.domain.Account;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

public class AccountStore {

    private final Map<String, Account> accounts = new ConcurrentHashMap<>();

    public Account of(String id) {
        return accounts.computeIfAbsent(id, Account::new);
    }
}
