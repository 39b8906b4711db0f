/** The JVM's other checks, and exceptions that the program makes itself. */
public class Checks {
    int[] numbers = new int[3];
    static final String PREFIX = "constant";

    static void caseIndex() { index(new int[3], 5); }
    static int index(int[] a, int i) {
        return a[0] + a[i]; //>? ArrayIndex load Int: i < 0 || i >= a.length
    }
    static void caseStoreIndex() { new Checks().storeIndex(-1); }
    void storeIndex(int i) {
        numbers[i] = 2; //> ArrayIndex store Int: i < 0 || i >= this.numbers.length
    }
    static void caseConstantIndex() { constantIndex(new String[0]); }
    static String constantIndex(String[] args) {
        return args[0]; //> ArrayIndex load Reference: args.length <= 0
    }
    static void caseNegative() { negative(-5); }
    static Object negative(int n) {
        return new int[n]; //> NegativeSize newarray: n < 0
    }
    static void caseNegativeObjects() { negativeObjects(-5); }
    static Object negativeObjects(int n) {
        return new String[n + 1]; //> NegativeSize newarray: n + 1 < 0
    }
    static void caseNegativeInner() { negativeInner(2, -5); }
    static Object negativeInner(int n, int m) {
        return new int[n][m]; //>? NegativeSize newarray: m < 0
    }
    static void caseCast() { cast("x", 1); }
    static int cast(Object a, Object b) {
        return ((String) a).length() + (Long) b > 2 ? 1 : 0; //> ClassCast checkcast: b != null && !(b instanceof Long)
    }
    static void caseCastArray() { castArray(new int[0]); }
    static Object castArray(Object a) {
        return (String[]) a; //> ClassCast checkcast: a != null && !(a instanceof String[])
    }
    static void caseStore() { store(new Integer[1], "x"); }
    static void store(Object[] a, Object o) {
        a[0] = o; //> ArrayStore store Reference: !(o can be stored into a)
    }
    static void caseDivision() { division(1, 0, 2); }
    static int division(int a, int b, int c) {
        return a / c + a / b; //>? Division div: b == 0
    }
    static void caseRemainder() { remainder(1, 0); }
    static long remainder(long a, long b) {
        return a % b; //> Division rem: b == 0L
    }

    static void caseIndexThatMovesOn() { indexThatMovesOn(new int[2], 0); }
    static int indexThatMovesOn(int[] a, int i) {
        int sum = 0;
        while (true) sum += a[i++]; //> ArrayIndex load Int: i < 0 || i >= a.length; i = 2
    }
    static void caseFieldThatMovesOn() { new Checks().fieldThatMovesOn(); }
    int at = 7;
    int fieldThatMovesOn() {
        return numbers[at++]; //> ArrayIndex load Int: this.at < 0 || this.at >= this.numbers.length; this.at = 7
    }
    static void caseUnchangedInALoop() { unchangedInALoop(3, 9); }
    static void unchangedInALoop(int first, int other) {
        int i = first;
        while (true) {
            if (i > 8) {
                throw new IllegalStateException("at " + i); //> Explicit athrow: i > 8; i = 9
            }
            if (other > 0) i = other;
        }
    }

    static void caseExplicit() { explicit(0, "x"); }
    static void explicit(int capacity, String name) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity " + capacity + " of " + name); //> Explicit athrow: capacity < 1; capacity = 0; name = "x"
        }
    }
    static void caseEither() { either(5, 3); }
    static void either(int from, int to) {
        if (from < 0 || from > to)
            throw new IndexOutOfBoundsException(String.format("from %d to %s", from, to)); //> Explicit athrow: from < 0 || from > to; from = 5; to = 3
    }
    static void caseNested() { nested("b", 3); }
    static void nested(String kind, int n) {
        if (kind.equals("a")) {
            return;
        } else if (n > 2) {
            throw new IllegalStateException(PREFIX + ": " + kind); //> Explicit athrow: n > 2; kind = "b"
        }
    }
    static void caseVariable() { variable(true); }
    static void variable(boolean b) {
        RuntimeException e = new IllegalStateException("kept"); //> Explicit athrow: always when reached
        if (b) throw e;
    }
    static void caseFactory() { throw made("late", 7); }
    static IllegalStateException made(String why, int code) {
        return new IllegalStateException(why + " (" + code + ")"); //> Helper invoke <init>: always when reached
    }
    static void caseHelper() { check(-1); }
    static void check(int n) {
        if (n < 0) fail("negative: %d", n);
    }
    static void fail(String format, Object... args) {
        throw new IllegalArgumentException(String.format(format, args)); //> Explicit athrow: always when reached; n = -1
    }
    static void caseRethrown() { rethrown(); }
    static void rethrown() {
        try {
            Integer.parseInt("x");
        } catch (NumberFormatException e) {
            throw new IllegalStateException("wrapped: " + e.getMessage(), e); //> Explicit athrow: NumberFormatException is caught
        }
    }
    static void caseFilledIn() { filledIn(new IllegalStateException("old")); }
    static void filledIn(IllegalStateException e) {
        throw (IllegalStateException) e.fillInStackTrace(); //> Explicit athrow: always when reached
    }
    static class Located extends RuntimeException {
        final int line;
        Located(String what, int line) {
            super("line " + line + ": " + what);
            this.line = line;
        }
    }
    static void caseOwnException() { ownException(12); }
    static void ownException(int n) {
        throw new Located("broken", n); //> Explicit athrow: always when reached; n = 12
    }
    static class Told extends RuntimeException {
        private final String what;
        private final int times;
        Told(String what, int times) { this.what = what; this.times = times; }
        @Override public String getMessage() { return "told " + what + " " + times + " times"; }
    }
    static void caseOverridden() { overridden("it", 3); }
    static void overridden(String s, int n) {
        throw new Told(s, n); //> Explicit athrow: always when reached; s = "it"; n = 3
    }
    static void caseBuilder() { builder(new int[] {1, 2}, 'c', true, 2.5, 7L); }
    static void builder(int[] a, char c, boolean b, double d, long l) {
        StringBuilder text = new StringBuilder("got ");
        text.append(a.length).append(" of ").append(c);
        if (b) text.append(" yes");
        text.append(" at ").append(d);
        throw new IllegalArgumentException(text.append('/').append(l).toString()); //> Explicit athrow: always when reached; a.length = 2; c = "c"; d = "2.5"; l = 7
    }
    static void caseTernary() { ternary(false); }
    static void ternary(boolean good) {
        throw new IllegalStateException("it is " + (good ? "good" : "bad")); //> Explicit athrow: always when reached
    }
    static void caseMessageFormat() { messageFormat("key", 5); }
    static void messageFormat(String key, int n) {
        throw new IllegalStateException(java.text.MessageFormat.format("no {0} in {1}, it''s gone", key, n)); //> Explicit athrow: always when reached; key = "key"
    }
    static void caseConcat() { concat("b"); }
    static void concat(String b) {
        throw new IllegalStateException("a ".concat(b).concat(" c")); //> Explicit athrow: always when reached; b = "b"
    }
    static void caseClassName() { className(""); }
    static void className(Object o) {
        throw new IllegalStateException("a " + o.getClass().getName() + " is no " + Checks.class.getSimpleName()); //> Explicit athrow: always when reached; o.getClass() = java.lang.String
    }
    static void caseAssertion() { assertion(3); }
    static void assertion(int n) {
        throw new AssertionError("got " + n); //> Explicit athrow: always when reached; n = 3
    }
    static void caseFinally() { try { finallyCopies(1); } finally { PREFIX.length(); } }
    static int finallyCopies(int n) {
        try {
            if (n == 0) return 1;
            return n;
        } finally {
            if (n == 1) throw new IllegalStateException("in finally"); //> Explicit athrow: n == 1
        }
    }
    static void caseSwitch() { ofSwitch(4); }
    static void ofSwitch(int n) {
        switch (n) {
            case 1: case 2: return;
            case 4: throw new IllegalStateException("four"); //> Explicit athrow: n == 4
            default:
        }
    }
    static void caseInLoop() { inLoop("ab1"); }
    static void inLoop(String s) {
        for (int i = 0; i < s.length(); i++) {
            char c = s.charAt(i);
            if (c >= '0' && c <= '9') throw new IllegalArgumentException("digit at " + i); //> Explicit athrow: c <= '9'; i = 2
        }
    }
    static void caseRecursion() { recursion(1); }
    static int recursion(int n) {
        return recursion(n + 1) + 1; //>? StackOverflow invoke recursion
    }
    static void caseMutual() { ping(1); }
    static int ping(int n) {
        return pong(n) + 1; //>? StackOverflow
    }
    static int pong(int n) {
        return ping(n) + 1; //>? StackOverflow
    }
    static class Broken {
        static int value = Integer.parseInt("x");
    }
    static void caseInitialiser() {
        System.out.print(Broken.value + PREFIX.length()); //> Initialisation getstatic value: Checks.Broken.<clinit>(..) throws ExceptionInInitializerError
    }
    static void caseInitialiserAgain() {
        new Broken(); //> Initialisation new: Checks.Broken.<clinit>(..) throws NoClassDefFoundError
    }
    static void caseUnboxed() { unboxed(null); }
    static boolean unboxed(Boolean b) {
        return !b; //> NullDereference invoke booleanValue: b == null
    }
    enum Colour { RED, GREEN, BLUE }
    static void caseEnumSwitch() { enumSwitch(Colour.GREEN); }
    static int enumSwitch(Colour colour) {
        switch (colour) {
            case RED: return 1;
            case GREEN: throw new IllegalStateException("green"); //> Explicit athrow: colour == Checks.Colour.GREEN
            default: return 2;
        }
    }
    static void caseCaught() { caught("x", 3); }
    static int caught(String s, int n) {
        try {
            return Integer.parseInt(s) + (int) Class.forName(s).getModifiers();
        } catch (NumberFormatException | ClassNotFoundException e) {
            if (n > 2) throw new IllegalStateException("n is " + n); //> Explicit athrow: n > 2; n = 3
            throw new IllegalStateException(s);
        }
    }
    static void caseBits() { bits(1, 3); }
    static void bits(int a, int b) {
        if ((a & b) == 1) throw new IllegalStateException(); //> Explicit athrow: (a & b) == 1
    }
    static void caseHuge() { huge(Integer.MAX_VALUE); }
    static Object huge(int n) {
        return new long[n]; //> Allocation newarray: n >= 2147483646
    }
}
