import org.acme.Ledger;
import org.acme.Office;
import org.junit.Test;
import org.junit.experimental.runners.Enclosed;
import org.junit.runner.RunWith;

@RunWith(Enclosed.class)
public class EnclosedTest {
    public static class Inner {
        @Test
        public void crash() {
            Ledger ledger = new Ledger();
            ledger.add(-5);
            new Office(ledger).close();
        }
    }
}
