import org.acme.Ledger;
import org.acme.Office;
import org.acme.ReportFailed;
import org.testng.annotations.AfterMethod;
import org.testng.annotations.BeforeMethod;
import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;

public class ProvidedTest {
    private Ledger ledger;

    @DataProvider
    public Object[][] amounts() {
        return new Object[][] {{5}, {-5}};
    }

    @BeforeMethod
    public void before() {
        ledger = new Ledger();
    }

    @AfterMethod
    public void after() {
        ledger = null;
    }

    @Test(dataProvider = "amounts")
    public void crash(int amount) {
        ledger.add(amount);
        new Office(ledger).close();
    }

    @Test(expectedExceptions = ReportFailed.class)
    public void expects() {
        ledger.add(-5);
        new Office(ledger).close();
    }

    @Test(enabled = false)
    public void off() {
        new Office(null).close();
    }
}
