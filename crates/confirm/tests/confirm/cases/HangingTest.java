import org.junit.Test;

public class HangingTest {
    @Test
    public void crash() {
        for (;;) {
            Thread.yield();
        }
    }
}
