import org.acme.Ledger;
import org.junit.Test;

public class CrashLineTest {
    @Test
    public void crash() {
        Ledger ledger = new Ledger();
        ledger.add(-5);
        ledger.report();
    }
}
