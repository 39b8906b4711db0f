import org.acme.Ledger;
import org.acme.Office;
import org.testng.annotations.Test;

/** All public methods are tests. */
@Test
public class TestNgClassTest {
    public void crash() {
        Office office = office();
        office.close();
    }

    private Office office() {
        Ledger ledger = new Ledger();
        ledger.add(-5);
        return new Office(ledger);
    }
}
