import org.acme.Ledger;
import org.acme.Office;
import org.junit.Test;

public class CallbackTest {
    @Test
    public void crash() {
        // A frame of the test between those of the application.
        Ledger ledger = new Ledger() {
            @Override
            public int report() {
                return super.report();
            }
        };
        ledger.add(-5);
        new Office(ledger).close();
    }
}
