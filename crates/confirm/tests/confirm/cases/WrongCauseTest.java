import org.acme.Ledger;
import org.acme.Office;
import org.junit.Test;

public class WrongCauseTest {
    @Test
    public void crash() {
        Ledger ledger = new Ledger();
        ledger.add(null);
        new Office(ledger).close();
    }
}
