import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Static fields that candidates read and write without calling a method of their class. */
public final class Held {
    public static Map<String, String> table = new HashMap<>();
    public static int number = 40 + 2;

    private Held() { }

    public static void remove() { table.remove("x"); }
    public static void change() { table.put("x", "y"); number++; }

    /** Nothing of the program names it. */
    public static final class Alone {
        public static final List<String> LIST = new ArrayList<>();
        public static int number = 7;
        public static String text = "as it was";
    }

    public static class Above {
        public static int above = 5;
    }

    public static final class Below extends Above implements Constants {
        public static int below = Above.above + 1;
    }

    public enum Kind {
        A, B;

        public static int total = 3;
        public static Kind favourite = A;
        public static void check() { Check.same(3, total); favourite.name(); }
    }

    public interface Constants {
        int LENGTH = "abc".length();
        List<String> NAMES = new ArrayList<>(java.util.Arrays.asList("a", "b"));
    }

    /** A class without static state, to tell what was read. */
    public static final class Check {
        public static void same(int expected, int actual) {
            if (expected != actual) { throw new IllegalStateException(actual + " instead of " + expected); }
        }

        public static void same(String expected, String actual) {
            if (!expected.equals(actual)) { throw new IllegalStateException(actual); }
        }

        public static void sameKind(Kind expected, Kind actual) {
            if (expected != actual) { throw new IllegalStateException(String.valueOf(actual)); }
        }
    }
}
