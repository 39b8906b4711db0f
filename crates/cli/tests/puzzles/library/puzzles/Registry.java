package puzzles;

/** Static state, and objects that the test supplies. */
public class Registry {
    public interface Source {
        String find(String key);
    }

    private static Source source = key -> key;
    private static int mode;

    public static void use(Source other) {
        source = other;
    }

    public static void setMode(int mode) {
        Registry.mode = mode;
    }

    public static int length(String key) {
        if (mode == 17) {
            return source.find(key).length();
        }
        return 0;
    }

    public static int parse(String text) {
        if (text.startsWith("v=") && text.length() == 6) {
            return Integer.parseInt(text.substring(2));
        }
        return 0;
    }

    public static Object pick(Object[] values, int at) {
        if (at > 2 && values.length > at) {
            return ((String) values[at]).length();
        }
        return null;
    }
}
