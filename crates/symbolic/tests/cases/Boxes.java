public class Boxes {
    static int cached(int a, int b) {
        Integer left = a;
        Integer right = b;
        return (left == right ? 1 : 0) + (left.equals(right) ? 2 : 0) + left.compareTo(right) * 4;
    }

    static long mixed(Object object, int a) {
        Object boxed = a > 3 ? (Object) Long.valueOf(a) : (Object) Character.valueOf((char) a);
        if (boxed instanceof Long) {
            return (Long) boxed + 1;
        }
        return boxed.hashCode() + (object == null ? 100 : 200);
    }

    static int unboxed(int a) {
        Integer nothing = a > 2 ? (Integer) a : null;
        return nothing;
    }

    static boolean booleans(boolean a, boolean b) {
        Boolean left = a;
        return left == Boolean.valueOf(b) && left.equals(b);
    }

    static int exact(int a, int b) {
        try {
            return Math.addExact(a, b) + Math.multiplyExact(a, 3) + Math.floorMod(a, b) + Math.floorDiv(b, a);
        } catch (ArithmeticException e) {
            return Math.abs(a) + Math.max(a, b) - Math.min(a, b);
        }
    }

    static int exactUncaught(int a, int b) {
        return Math.toIntExact((long) a * b) + Math.negateExact(a) + Math.subtractExact(a, b);
    }

    static double floats(double a, float b) {
        return Math.max(a, b) + Math.min(-0.0, a) + Math.floor(a) + Math.ceil(b) + Math.sqrt(a) + Double.compare(a, b)
                + Float.floatToIntBits(b);
    }

    static int compared(long a, long b) {
        return Long.compare(a, b) + Long.hashCode(a) + Integer.bitCount((int) b) + Long.numberOfTrailingZeros(a)
                + Integer.reverse((int) a) + Integer.highestOneBit((int) b);
    }

    static int round(double a, float b) {
        return (int) Math.round(a) + Math.round(b) + (Double.isInfinite(a) ? 1 : 0) + (Float.isNaN(b) ? 2 : 0);
    }

    static String text(int a, long b, boolean c) {
        return Integer.toString(a) + Long.toString(b) + Boolean.toString(c) + Integer.valueOf(a) + Boolean.valueOf(c);
    }

    static int parsed(int a, int radix) {
        return Integer.parseInt(Integer.toString(a), 10) + Short.parseShort("12") + Integer.parseInt("7f", 16)
                + Character.digit('b', radix) + Character.forDigit(7, 10) + Byte.parseByte(Integer.toString(a));
    }
}
