import org.acme.ReportFailed;
import org.junit.Test;

public class ThrowingTest {
    @Test
    public void crash() {
        throw new ReportFailed("no report", null);
    }
}
