package org.acme;

import org.junit.Test;

public class ReplacingTest {
    @Test
    public void crash() {
        Ledger ledger = new Ledger();
        ledger.add(-5);
        new Office(ledger).close();
    }
}

class ReportFailed extends RuntimeException {
    ReportFailed(String message, Throwable cause) {
        super(message, cause);
    }
}
