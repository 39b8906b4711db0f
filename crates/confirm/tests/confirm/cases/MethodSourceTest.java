import java.util.stream.Stream;
import org.acme.Ledger;
import org.acme.Office;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class MethodSourceTest {
    static Stream<Arguments> amounts() {
        return Stream.of(Arguments.of("gain", 5), Arguments.of("debt", -5));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("amounts")
    void crash(String name, int amount) {
        Ledger ledger = new Ledger();
        ledger.add(amount);
        new Office(ledger).close();
    }
}
