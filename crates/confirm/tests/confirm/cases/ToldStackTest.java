import org.junit.Test;

public class ToldStackTest {
    /** Made without a stack, and tells one. */
    static class Told extends RuntimeException {
        Told(String message) {
            super(message, null, false, false);
        }

        @Override
        public StackTraceElement[] getStackTrace() {
            return new StackTraceElement[] {new StackTraceElement("org.acme.Ledger", "report", "Ledger.java", 33)};
        }
    }

    @Test
    public void crash() {
        throw new Told("told");
    }
}
