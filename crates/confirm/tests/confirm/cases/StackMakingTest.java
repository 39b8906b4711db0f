import org.acme.Ledger;
import org.junit.Test;

public class StackMakingTest {
    @Test
    public void crash() {
        try {
            new Ledger().audit();
        } catch (RuntimeException e) {
            e.setStackTrace(new StackTraceElement[] {
                new StackTraceElement("org.acme.Ledger", "report", "Ledger.java", 33),
                new StackTraceElement("org.acme.Office", "daily", "Office.java", 11),
                new StackTraceElement("org.acme.Office", "close", "Office.java", 15)
            });
            throw e;
        }
    }
}
