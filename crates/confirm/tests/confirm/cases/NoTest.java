public class NoTest {
    public void crash() {
        throw new IllegalStateException("not run");
    }
}
