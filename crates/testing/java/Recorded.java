import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Paths;
import reenact.host.Probe;
import reenact.host.Values;

/** Instructions with all sorts of operands; the tests record them. Writes what was recorded to a file. */
public final class Recorded {
    static int divide(int a, int b) { return a / b; }
    static Object load(Object[] array, int index) { return array[index]; }
    static void store(double[] array, int index, double value) { array[index] = value; }
    long wide(long a, double b, String c, float d) { return a; }
    static int length(String text) { return text.length(); }
    static int visits(int n) { int sum = 0; for (int i = 0; i < n; i++) { sum += i; } return sum; }

    public static void main(String[] args) throws Exception {
        divide(7, -2);
        load(new Object[] {"x", null, 3}, 2);
        store(new double[4], 1, 2.5);
        new Recorded().wide(1L << 40, -0.5, "four", 1.5f);
        length("hello");
        visits(100);
        try {
            length(null);
        } catch (NullPointerException expected) {
            // The probe comes before the instruction that throws.
        }
        ByteBuffer out = ByteBuffer.allocate(Probe.drainSize() + Values.drainSize()).order(ByteOrder.LITTLE_ENDIAN);
        Probe.drain(out);
        Values.drain(out);
        Files.write(Paths.get(args[0]), java.util.Arrays.copyOf(out.array(), out.position()));
    }
}
