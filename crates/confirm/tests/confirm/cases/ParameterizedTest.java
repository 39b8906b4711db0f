import java.util.Arrays;
import java.util.Collection;
import org.acme.Ledger;
import org.acme.Office;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;

@RunWith(Parameterized.class)
public class ParameterizedTest {
    private final int amount;

    public ParameterizedTest(int amount) {
        this.amount = amount;
    }

    @Parameterized.Parameters
    public static Collection<Object[]> amounts() {
        return Arrays.asList(new Object[] {5}, new Object[] {-5});
    }

    @Test
    public void crash() {
        Ledger ledger = new Ledger();
        ledger.add(amount);
        new Office(ledger).close();
    }
}
