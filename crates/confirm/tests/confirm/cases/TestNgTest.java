import org.acme.Ledger;
import org.acme.Office;
import org.testng.annotations.Test;

public class TestNgTest {
    @Test
    public void crash() {
        Ledger ledger = new Ledger();
        ledger.add(-5);
        new Office(ledger).close();
    }
}
