import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;

/** Reads operations with operands, a line each, and prints what the JVM makes of them. Floats are bits, strings units. */
class Oracle {
    public static void main(String[] args) throws Exception {
        var in = new BufferedReader(new InputStreamReader(System.in, "US-ASCII"));
        var out = new PrintStream(new java.io.BufferedOutputStream(System.out), false, "US-ASCII");
        for (String line; (line = in.readLine()) != null;) {
            out.println(answer(line.split(" ", -1)));
        }
        out.flush();
    }

    static String answer(String[] words) {
        try {
            return apply(words);
        } catch (ArithmeticException | IndexOutOfBoundsException | NumberFormatException e) {
            return "throws";
        }
    }

    static String apply(String[] w) {
        switch (w[0].charAt(0)) {
            case 'i': return ints(w[0], i(w[1]), w.length > 2 ? i(w[2]) : 0);
            case 'l': return longs(w[0], l(w[1]), w.length > 2 ? l(w[2]) : 0);
            case 'f': return floats(w[0], Float.intBitsToFloat(i(w[1])), w.length > 2 ? Float.intBitsToFloat(i(w[2])) : 0);
            case 'd': return doubles(w[0], Double.longBitsToDouble(l(w[1])), w.length > 2 ? Double.longBitsToDouble(l(w[2])) : 0);
            default: return strings(w);
        }
    }

    static int i(String word) { return Integer.parseInt(word); }
    static long l(String word) { return Long.parseLong(word); }
    static String bits(float f) { return "" + Float.floatToIntBits(f); }
    static String bits(double d) { return "" + Double.doubleToLongBits(d); }

    static String ints(String op, int a, int b) {
        switch (op) {
            case "iadd": return "" + (a + b);
            case "isub": return "" + (a - b);
            case "imul": return "" + (a * b);
            case "idiv": return "" + (a / b);
            case "irem": return "" + (a % b);
            case "iand": return "" + (a & b);
            case "ior": return "" + (a | b);
            case "ixor": return "" + (a ^ b);
            case "ishl": return "" + (a << b);
            case "ishr": return "" + (a >> b);
            case "iushr": return "" + (a >>> b);
            case "ineg": return "" + (-a);
            case "ilt": return "" + (a < b);
            case "ile": return "" + (a <= b);
            case "iult": return "" + (Integer.compareUnsigned(a, b) < 0);
            case "iudiv": return "" + Integer.divideUnsigned(a, b);
            case "iurem": return "" + Integer.remainderUnsigned(a, b);
            case "i2b": return "" + (byte) a;
            case "i2s": return "" + (short) a;
            case "i2c": return "" + (int) (char) a;
            case "i2l": return "" + (long) a;
            case "i2f": return bits((float) a);
            case "i2d": return bits((double) a);
            case "ibits": return bits(Float.intBitsToFloat(a));
            default: throw new IllegalStateException(op);
        }
    }

    static String longs(String op, long a, long b) {
        switch (op) {
            case "ladd": return "" + (a + b);
            case "lsub": return "" + (a - b);
            case "lmul": return "" + (a * b);
            case "ldiv": return "" + (a / b);
            case "lrem": return "" + (a % b);
            case "land": return "" + (a & b);
            case "lor": return "" + (a | b);
            case "lxor": return "" + (a ^ b);
            case "lshl": return "" + (a << b);
            case "lshr": return "" + (a >> b);
            case "lushr": return "" + (a >>> b);
            case "lneg": return "" + (-a);
            case "llt": return "" + (a < b);
            case "lcmp": return "" + Long.compare(a, b);
            case "l2i": return "" + (int) a;
            case "l2f": return bits((float) a);
            case "l2d": return bits((double) a);
            default: throw new IllegalStateException(op);
        }
    }

    static String floats(String op, float a, float b) {
        switch (op) {
            case "fadd": return bits(a + b);
            case "fsub": return bits(a - b);
            case "fmul": return bits(a * b);
            case "fdiv": return bits(a / b);
            case "frem": return bits(a % b);
            case "fneg": return bits(-a);
            case "fabs": return bits(Math.abs(a));
            case "feq": return "" + (a == b);
            case "flt": return "" + (a < b);
            case "fle": return "" + (a <= b);
            case "fsame": return "" + (Float.floatToIntBits(a) == Float.floatToIntBits(b));
            case "fcmpl": return "" + (a > b ? 1 : a == b ? 0 : -1);
            case "fcmpg": return "" + (a < b ? -1 : a == b ? 0 : 1);
            case "fnan": return "" + Float.isNaN(a);
            case "f2i": return "" + (int) a;
            case "f2l": return "" + (long) a;
            case "f2d": return bits((double) a);
            default: throw new IllegalStateException(op);
        }
    }

    static String doubles(String op, double a, double b) {
        switch (op) {
            case "dadd": return bits(a + b);
            case "dsub": return bits(a - b);
            case "dmul": return bits(a * b);
            case "ddiv": return bits(a / b);
            case "drem": return bits(a % b);
            case "dneg": return bits(-a);
            case "dabs": return bits(Math.abs(a));
            case "dsqrt": return bits(Math.sqrt(a));
            case "dfloor": return bits(Math.floor(a));
            case "dceil": return bits(Math.ceil(a));
            case "drint": return bits(Math.rint(a));
            case "deq": return "" + (a == b);
            case "dlt": return "" + (a < b);
            case "dle": return "" + (a <= b);
            case "dcmpl": return "" + (a > b ? 1 : a == b ? 0 : -1);
            case "dcmpg": return "" + (a < b ? -1 : a == b ? 0 : 1);
            case "dnan": return "" + Double.isNaN(a);
            case "d2i": return "" + (int) a;
            case "d2l": return "" + (long) a;
            case "d2f": return bits((float) a);
            default: throw new IllegalStateException(op);
        }
    }

    static String text(String word) {
        var text = new StringBuilder();
        for (int at = 1; at < word.length(); at += 4) {
            text.append((char) Integer.parseInt(word.substring(at, at + 4), 16));
        }
        return text.toString();
    }

    static String word(String text) {
        var word = new StringBuilder("s");
        for (int at = 0; at < text.length(); at++) {
            word.append(String.format("%04x", (int) text.charAt(at)));
        }
        return word.toString();
    }

    static String strings(String[] w) {
        switch (w[0]) {
            case "sofint": return word(Integer.toString(i(w[1])));
            case "soflong": return word(Long.toString(l(w[1])));
            case "schar": return word(String.valueOf((char) i(w[1])));
            default: break;
        }
        String a = text(w[1]);
        switch (w[0]) {
            case "slength": return "" + a.length();
            case "scharAt": return "" + (int) a.charAt(i(w[2]));
            case "sconcat": return word(a.concat(text(w[2])));
            case "ssubstring": return word(a.substring(i(w[2]), i(w[3])));
            case "sindexOf": return "" + a.indexOf(text(w[2]), i(w[3]));
            case "sstartsWith": return "" + a.startsWith(text(w[2]));
            case "sendsWith": return "" + a.endsWith(text(w[2]));
            case "scontains": return "" + a.contains(text(w[2]));
            case "sequals": return "" + a.equals(text(w[2]));
            case "sparseInt": return "" + Integer.parseInt(a);
            case "sparseLong": return "" + Long.parseLong(a);
            default: throw new IllegalStateException(w[0]);
        }
    }
}
