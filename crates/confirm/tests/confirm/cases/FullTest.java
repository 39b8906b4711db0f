import org.acme.Ledger;
import org.acme.Office;
import org.junit.Test;

public class FullTest {
    @Test
    public void crash() {
        Ledger ledger = new Ledger();
        ledger.add(-5);
        new Office(ledger).close();
    }
}
