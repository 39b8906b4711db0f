import org.acme.Ledger;
import org.acme.Office;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

class RepeatedCaseTest {
    /** Only the last repetition crashes. */
    @RepeatedTest(3)
    void crash(RepetitionInfo repetition) {
        Ledger ledger = new Ledger();
        ledger.add(repetition.getCurrentRepetition() == 3 ? -5 : 5);
        new Office(ledger).close();
    }
}
