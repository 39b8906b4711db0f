import org.acme.Ledger;
import org.acme.Office;
import org.junit.Test;

/** What was told before the VM ends is not lost with it. */
public class ExitingLaterTest {
    @Test
    public void aCrash() {
        Ledger ledger = new Ledger();
        ledger.add(-5);
        new Office(ledger).close();
    }

    @Test
    public void exit() {
        System.exit(4);
    }
}
