import junit.framework.TestCase;
import org.acme.Ledger;
import org.acme.Office;

public class OldTest extends TestCase {
    private final Ledger ledger = new Ledger();

    @Override
    protected void setUp() {
        ledger.add(-5);
    }

    public void testCrash() {
        new Office(ledger).close();
    }
}
