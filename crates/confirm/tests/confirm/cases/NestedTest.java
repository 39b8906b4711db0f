import org.acme.Ledger;
import org.acme.Office;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class NestedTest {
    @Nested
    class Inner {
        @Test
        void crash() {
            Ledger ledger = new Ledger();
            ledger.add(-5);
            new Office(ledger).close();
        }
    }
}
