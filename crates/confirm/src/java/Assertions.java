package PACKAGE;

/** Stands in for the framework's own assertions where the framework is not at hand. */
public final class NAME {
    private NAME() {}

    /** What the lambda of {@code assertThrows} is, by another name in each framework. */
    public interface Code {
        void run() throws Throwable;
    }

    public static <T extends Throwable> T assertThrows(Class<T> type, Code code) {
        try {
            code.run();
        } catch (Throwable thrown) {
            if (type.isInstance(thrown)) {
                return type.cast(thrown);
            }
            throw new AssertionError("expected " + type.getName() + " but " + thrown + " was thrown", thrown);
        }
        throw new AssertionError("expected " + type.getName() + " but nothing was thrown");
    }

    public static <T extends Throwable> T expectThrows(Class<T> type, Code code) {
        return assertThrows(type, code);
    }

    public static void assertEquals(Object expected, Object actual) {
        if (expected == null ? actual != null : !expected.equals(actual)) {
            throw new AssertionError("expected:<" + expected + "> but was:<" + actual + ">");
        }
    }

    public static void assertEquals(long expected, long actual) {
        assertEquals((Object) expected, (Object) actual);
    }

    public static void assertTrue(boolean condition) {
        assertEquals((Object) true, (Object) condition);
    }

    public static void assertFalse(boolean condition) {
        assertEquals((Object) false, (Object) condition);
    }

    public static void assertNull(Object value) {
        assertEquals((Object) null, value);
    }

    public static void assertNotNull(Object value) {
        assertTrue(value != null);
    }

    public static void assertSame(Object expected, Object actual) {
        assertTrue(expected == actual);
    }

    public static void fail() {
        fail(null);
    }

    public static void fail(String message) {
        throw new AssertionError(message);
    }
}
