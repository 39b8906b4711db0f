import org.acme.Ledger;
import org.acme.Office;
import org.junit.Before;
import org.junit.Test;

public class SetUpTest {
    private final Ledger ledger = new Ledger();

    @Before
    public void fill() {
        ledger.add(-5);
    }

    @Test
    public void passes() {
        ledger.count(3);
    }

    @Test
    public void crash() {
        new Office(ledger).close();
    }
}
