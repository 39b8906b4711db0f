import org.acme.Ledger;
import org.acme.Office;
import org.junit.Test;

public class PartialTest {
    @Test
    public void crash() {
        Ledger ledger = new Ledger();
        ledger.add(-5);
        new Office(ledger).daily();
    }
}
