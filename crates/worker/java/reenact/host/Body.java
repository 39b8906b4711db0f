package reenact.host;

/** The bodies of a callback; its stub class calls here. Also what declared classes call, and how values come back. */
public final class Body {
    private final byte[] in;
    private final Symbols symbols;
    private final Candidate candidate;
    /** Where the body of each method starts. */
    private final int[] starts;
    /** The variables of the block that made the callback. */
    private final Object[] captured;

    Body(byte[] in, Symbols symbols, Candidate candidate, int[] starts, Object[] captured) {
        this.in = in;
        this.symbols = symbols;
        this.candidate = candidate;
        this.starts = starts;
        this.captured = captured;
    }

    /** Called by stubs. */
    public Object call(Object self, int method, Object[] args) throws Throwable {
        return new Evaluator(in, starts[method], symbols, candidate).body(captured, self, args);
    }

    /** Called by methods of declared classes; the running candidate has their bodies. */
    public static Object declared(int key, int method, Object self, Object[] args) throws Throwable {
        Evaluator body = Interpreter.declared(key, method);
        if (body == null) {
            // A thread that was left behind by a candidate with this class.
            throw new Abort(Abort.STALE, 0);
        }
        return body.body(null, self, args);
    }

    public static boolean toBoolean(Object value) {
        return value != null && (Boolean) value;
    }

    public static byte toByte(Object value) {
        return value == null ? 0 : (Byte) value;
    }

    public static char toChar(Object value) {
        return value == null ? 0 : (Character) value;
    }

    public static short toShort(Object value) {
        return value == null ? 0 : number(value).shortValue();
    }

    public static int toInt(Object value) {
        return value == null ? 0 : number(value).intValue();
    }

    public static long toLong(Object value) {
        return value == null ? 0 : number(value).longValue();
    }

    public static float toFloat(Object value) {
        return value == null ? 0 : number(value).floatValue();
    }

    public static double toDouble(Object value) {
        return value == null ? 0 : number(value).doubleValue();
    }

    /** Characters widen to numbers as well. */
    static Number number(Object value) {
        return value instanceof Character ? (Number) Integer.valueOf((Character) value) : (Number) value;
    }
}
