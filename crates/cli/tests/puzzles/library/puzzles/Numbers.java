package puzzles;

/** Crashes that need a relation between numbers. */
public class Numbers {
    public static int line(int a, int b) {
        if (a * 7 + b == 1004 && a - b == 12) {
            return 1 / (a - a);
        }
        return a;
    }

    public static int bits(long flags) {
        if ((flags & 0xFF00L) == 0x4200L && (flags >>> 56) == 0x7FL) {
            throw new IllegalStateException("flags");
        }
        return 0;
    }

    public static int header(byte[] bytes) {
        int length = (bytes[3] & 255) << 8 | bytes[4] & 255;
        if (bytes[0] == 'R' && bytes[1] == 'I' && bytes[2] == 'F') {
            return bytes[length];
        }
        return length;
    }
}
