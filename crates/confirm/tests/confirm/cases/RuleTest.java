import org.acme.Ledger;
import org.acme.Office;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.ExternalResource;

public class RuleTest {
    private final Ledger ledger = new Ledger();

    /** Without it there is no crash. */
    @Rule
    public final ExternalResource debt = new ExternalResource() {
        @Override
        protected void before() {
            ledger.add(-5);
        }
    };

    @Test
    public void crash() {
        new Office(ledger).close();
    }
}
