import org.acme.Ledger;
import org.acme.Office;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ValuesTest {
    @ParameterizedTest
    @ValueSource(ints = {5, -5})
    void crash(int amount) {
        Ledger ledger = new Ledger();
        ledger.add(amount);
        new Office(ledger).close();
    }
}
