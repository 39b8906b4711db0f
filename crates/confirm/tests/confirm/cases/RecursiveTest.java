import org.acme.Ledger;
import org.junit.Test;

public class RecursiveTest {
    @Test
    public void crash() {
        new Ledger().count(-1);
    }
}
