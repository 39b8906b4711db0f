import org.acme.Ledger;
import org.junit.Test;

public class OtherPlaceTest {
    @Test
    public void crash() {
        new Ledger().audit();
    }
}
