import org.junit.Test;

public class EmptyTest {
    @Test
    public void crash() {}
}
