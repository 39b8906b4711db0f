import org.acme.Ledger;
import org.acme.Office;
import org.acme.ReportFailed;
import org.junit.Test;

public class ExpectingTest {
    @Test(expected = ReportFailed.class)
    public void crash() {
        Ledger ledger = new Ledger();
        ledger.add(-5);
        new Office(ledger).close();
    }
}
