import org.acme.Ledger;
import org.acme.Office;
import org.testng.annotations.BeforeSuite;
import org.testng.annotations.Factory;
import org.testng.annotations.Optional;
import org.testng.annotations.Parameters;
import org.testng.annotations.Test;

/** Made by a factory, after something was done once. */
public class InstancesTest {
    private static int sign;
    private final int amount;

    private InstancesTest(int amount) {
        this.amount = amount;
    }

    @Factory
    public static Object[] instances() {
        return new Object[] {new InstancesTest(0), new InstancesTest(5)};
    }

    @Parameters("sign")
    @BeforeSuite
    public void once(@Optional("-1") int given) {
        sign = given;
    }

    @Test
    public void crash() {
        Ledger ledger = new Ledger();
        ledger.add(sign * amount);
        new Office(ledger).close();
    }
}
