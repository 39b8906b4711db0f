import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.acme.Ledger;
import org.acme.Office;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.RepeatedTest;

/** Nothing of it is run to its end. */
class GivingUpTest {
    @RepeatedTest(1)
    void assuming() {
        assumeTrue(new Ledger().total() > 0);
        new Office(null).close();
    }

    @Disabled
    @RepeatedTest(1)
    void disabled() {
        new Office(null).close();
    }
}
