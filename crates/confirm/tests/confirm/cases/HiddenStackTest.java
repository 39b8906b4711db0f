import java.lang.reflect.Method;
import org.acme.Ledger;
import org.junit.Test;

public class HiddenStackTest {
    @Test
    public void crash() throws Exception {
        try {
            new Ledger().audit();
        } catch (RuntimeException e) {
            Method set = Throwable.class.getMethod("setStack" + "Trace", StackTraceElement[].class);
            set.invoke(e, (Object) new StackTraceElement[] {
                new StackTraceElement("org.acme.Ledger", "report", "Ledger.java", 33),
                new StackTraceElement("org.acme.Office", "daily", "Office.java", 11),
                new StackTraceElement("org.acme.Office", "close", "Office.java", 15)
            });
            throw e;
        }
    }
}
