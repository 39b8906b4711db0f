import org.acme.Ledger;
import org.acme.Office;
import org.testng.annotations.BeforeMethod;
import org.testng.annotations.Test;

/** What is done before a test is what crashes. */
public class ForerunnerTest {
    @BeforeMethod
    public void before() {
        Ledger ledger = new Ledger();
        ledger.add(-5);
        new Office(ledger).close();
    }

    @Test(priority = 1)
    public void test() {}
}
