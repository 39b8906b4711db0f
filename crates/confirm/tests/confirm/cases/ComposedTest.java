import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.acme.Ledger;
import org.acme.Office;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

class ComposedTest {
    /** An annotation that stands for others. */
    @Retention(RetentionPolicy.RUNTIME)
    @Tag("fast")
    @Test
    @interface FastTest {}

    private Ledger ledger;

    @BeforeEach
    void fill(TestInfo test) {
        ledger = new Ledger();
        ledger.add(test.getTags().contains("fast") ? -5 : 5);
    }

    @FastTest
    void crash() {
        new Office(ledger).close();
    }
}
