import org.acme.Office;
import org.junit.Test;

/** What was told before the VM ends is not lost with it. */
public class ExitingLaterTest {
    @Test
    public void aCrash() {
        new Office().close(null);
    }

    @Test
    public void exit() {
        System.exit(4);
    }
}
