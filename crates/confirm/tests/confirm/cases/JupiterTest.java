import org.acme.Ledger;
import org.acme.Office;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class JupiterTest {
    private final Ledger ledger = new Ledger();

    @BeforeEach
    void fill() {
        ledger.add(-5);
    }

    @Test
    void crash() {
        new Office(ledger).close();
    }
}
