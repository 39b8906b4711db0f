import org.acme.Ledger;
import org.acme.Office;

public class MainTest {
    public static void main(String[] args) {
        Ledger ledger = new Ledger();
        ledger.add(-5);
        new Office(ledger).close();
    }
}
