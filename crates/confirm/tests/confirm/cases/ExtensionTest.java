import org.acme.Ledger;
import org.acme.Office;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

@ExtendWith(ExtensionTest.Debt.class)
class ExtensionTest {
    private static Ledger ledger;

    /** Without it there is no crash. */
    static class Debt implements BeforeEachCallback {
        @Override
        public void beforeEach(ExtensionContext context) {
            ledger.add(-5);
        }
    }

    ExtensionTest() {
        ledger = new Ledger();
    }

    @Test
    void crash() {
        new Office(ledger).close();
    }
}
