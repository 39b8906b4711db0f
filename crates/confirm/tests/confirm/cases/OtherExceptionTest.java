import org.acme.Office;
import org.junit.Test;

public class OtherExceptionTest {
    @Test
    public void crash() {
        new Office(null).close();
    }
}
