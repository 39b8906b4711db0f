import org.junit.Test;

public class ExitingTest {
    @Test
    public void crash() {
        System.exit(3);
    }
}
