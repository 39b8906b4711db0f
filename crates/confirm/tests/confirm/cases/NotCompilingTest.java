import org.acme.Ledger;
import org.junit.Test;

public class NotCompilingTest {
    @Test
    public void crash() {
        new Ledger().missing();
    }
}
