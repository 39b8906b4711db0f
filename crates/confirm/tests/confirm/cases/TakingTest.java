import java.nio.file.Path;
import org.acme.Ledger;
import org.acme.Office;
import org.junit.jupiter.api.Test;

/** JUnit gives such a test what it takes; the runner cannot. */
class TakingTest {
    @Test
    void crash(Path directory) {
        Ledger ledger = new Ledger();
        ledger.add(-5);
        new Office(ledger).close();
    }
}
