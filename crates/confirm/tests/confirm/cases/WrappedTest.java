import org.acme.Ledger;
import org.acme.Office;
import org.junit.Test;

public class WrappedTest {
    @Test
    public void crash() {
        Ledger ledger = new Ledger();
        ledger.add(-5);
        try {
            new Office(ledger).close();
        } catch (RuntimeException e) {
            throw new IllegalArgumentException("wrapped", e);
        }
    }
}
