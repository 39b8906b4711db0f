import org.acme.Ledger;
import org.acme.Office;
import org.junit.Test;

public class NoisyTest {
    @Test
    public void crash() {
        for (int i = 0; i < 200_000; i++) {
            System.out.println("a line of output that nobody wants to read, number " + i);
        }
        Ledger ledger = new Ledger();
        ledger.add(-5);
        new Office(ledger).close();
    }
}
