package io.viaduct.tolls.service;

import io.viaduct.tolls.domain.Account;
import io.viaduct.tolls.domain.Passage;
import io.viaduct.tolls.store.AccountStore;
import java.time.YearMonth;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

public class BillingService {

    private static final Logger LOG = LoggerFactory.getLogger(BillingService.class);

    private final AccountStore accounts;

    public BillingService(AccountStore accounts) {
        this.accounts = accounts;
    }

    /** Bills what was driven in the month; whatever costs nothing is waived. */
    public int close(String id, YearMonth month) {
        Account account = accounts.of(id);
        waiveFree(account, month);
        List<Passage> billed = account.open().stream().filter(passage -> passage.month().equals(month)).toList();
        int cents = billed.stream().mapToInt(Passage::cents).sum();
        account.charge(cents);
        account.open().removeAll(billed);
        LOG.info("account {}: {} passages of {}, {} cents", id, billed.size(), month, cents);
        return cents;
    }

    private static void waiveFree(Account account, YearMonth month) {
        for (Passage passage : account.open()) {
            if (passage.cents() == 0 && passage.month().equals(month)) {
                account.waive(passage);
            }
        }
    }
}
