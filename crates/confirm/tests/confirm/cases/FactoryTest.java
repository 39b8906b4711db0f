import java.util.stream.Stream;
import org.acme.Ledger;
import org.acme.Office;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class FactoryTest {
    @TestFactory
    Stream<DynamicTest> crashes() {
        return Stream.of(5, -5).map(amount -> DynamicTest.dynamicTest("of " + amount, () -> close(amount)));
    }

    private static void close(int amount) {
        Ledger ledger = new Ledger();
        ledger.add(amount);
        new Office(ledger).close();
    }
}
