/** Every arithmetic instruction, conversion and comparison. */
public class Arithmetic {
    static int ints(int a, int b) {
        return (a + b) * (a - b) ^ (a & 0x0F0F) ^ (a | b) ^ -a ^ ~b;
    }

    static int divide(int a, int b) {
        return a / b;
    }

    static int remainder(int a, int b) {
        return a % b + a / 7;
    }

    static int shifts(int a, int b) {
        return (a << b) ^ (a >> b) ^ (a >>> b);
    }

    static long longs(long a, long b) {
        return (a + b) * (a - b) ^ (a & b) ^ (a | 12345678901L) ^ -a;
    }

    static long longDivide(long a, long b) {
        return a / b + a % b;
    }

    static long longShifts(long a, int b) {
        return (a << b) ^ (a >> b) ^ (a >>> b);
    }

    static float floats(float a, float b) {
        return -a * b + a / b - a % b + 1.5f;
    }

    static double doubles(double a, double b) {
        return -a * b + a / b - a % b + 0.1;
    }

    static int narrow(int a) {
        return (byte) a + (char) a + (short) a;
    }

    static long convertInt(int a) {
        return (long) a + (long) (float) a + (long) (double) a;
    }

    static double convertLong(long a) {
        return (int) a + (float) a + (double) a;
    }

    static double convertFloat(float a) {
        return (int) a + (long) a + (double) a;
    }

    static long convertDouble(double a) {
        return (int) a + (long) a + (long) (float) a;
    }

    static int compareLongs(long a, long b) {
        return (a < b ? 1 : 0) + (a <= b ? 2 : 0) + (a == b ? 4 : 0) + (a != b ? 8 : 0) + (a > b ? 16 : 0) + (a >= b ? 32 : 0);
    }

    static int compareFloats(float a, float b) {
        return (a < b ? 1 : 0) + (a <= b ? 2 : 0) + (a == b ? 4 : 0) + (a != b ? 8 : 0) + (a > b ? 16 : 0) + (a >= b ? 32 : 0);
    }

    static int compareDoubles(double a, double b) {
        return (a < b ? 1 : 0) + (a <= b ? 2 : 0) + (a == b ? 4 : 0) + (a != b ? 8 : 0) + (a > b ? 16 : 0) + (a >= b ? 32 : 0);
    }

    static int increments(int a, int b) {
        int c = a++ + ++a - b-- * --b;
        c += a;
        c -= 1000;
        c *= b++;
        return c + a * b;
    }

    static boolean logic(boolean a, boolean b, int c) {
        return a && !b || c > 3 & b ^ a;
    }

    static byte bytes(byte a, short b, char c) {
        a += b;
        b -= c;
        c *= 3;
        return (byte) (a ^ b ^ c);
    }
}
