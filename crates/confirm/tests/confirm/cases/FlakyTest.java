import java.util.TimeZone;
import org.acme.Ledger;
import org.acme.Office;
import org.junit.Test;

public class FlakyTest {
    @Test
    public void crash() {
        Ledger ledger = new Ledger();
        ledger.add(TimeZone.getDefault().getID().equals("Pacific/Chatham") ? 5 : -5);
        new Office(ledger).close();
    }
}
