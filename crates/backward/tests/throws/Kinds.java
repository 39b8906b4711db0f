package throwing;

import java.util.AbstractMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A line ends with the name of the case in which it throws, or calls the line that does. */
public class Kinds {
    int[] cells;
    int size;
    Object held;
    Kinds next;
    String name;

    Kinds(int size) {
        this.cells = new int[size]; // negative
    }

    static Kinds sized(int size) {
        return size > 10 ? null : new Kinds(size); // negative below
    }

    int nothing() {
        return next.size; // null
    }

    static int nothingKnown(Kinds kinds) {
        if (kinds == null) {
            return 0;
        }
        return kinds.size; // null never
    }

    int index(int at) {
        return cells[at + 1]; // index
    }

    static int indexKnown(int at) {
        int[] four = new int[4];
        return four[at & 3]; // index never
    }

    static int negativeKnown(byte size) {
        return new int[size & 0xff].length; // negative never
    }

    String cast() {
        return (String) held; // cast
    }

    static String castKnown(String text) {
        Object object = text;
        return (String) object; // cast never
    }

    static void store(Object value) {
        Object[] all = new String[1];
        all[0] = value; // store
    }

    static void storeKnown(String value) {
        Object[] all = new String[1];
        all[0] = value; // store never
    }

    int division(int by) {
        return size / (by - 3); // division
    }

    static int divisionKnown(int by) {
        return 1 / (by | 1); // division never
    }

    void explicit(int flags) {
        if ((flags & 4) != 0 && size < 0) {
            throw new IllegalStateException("size " + size); // explicit
        }
    }

    static void explicitKnown(int flags) {
        if ((flags & 4) == 8) {
            throw new IllegalStateException("flags"); // explicit never
        }
    }

    static int number(String text) {
        return Integer.parseInt(text); // number
    }

    static int numberKnown() {
        return Integer.parseInt("17"); // number never
    }

    static Object element(List<Object> all, int at) {
        return all.get(at); // element
    }

    static Object first(List<Object> all) {
        Iterator<Object> each = all.iterator();
        return each.next(); // first
    }

    void memory(int count) {
        cells = new int[count]; // memory
    }

    int deep(int depth) {
        return depth == 0 ? 0 : deep(depth - 1); // deep
    }

    static int length(String text) {
        return text.length(); // callback
    }

    static void each(List<String> all) {
        all.forEach(text -> length(text)); // callback lambda
    }

    /** The JDK's `putAll` calls `put`. */
    abstract static class Strict extends AbstractMap<String, String> {
        @Override
        public String put(String key, String value) {
            return key.concat(value); // inherited
        }

        void take(Map<String, String> other) {
            putAll(other); // inherited below
        }
    }

    static void wrapped(Object lock) {
        try {
            lock.notify();
        } catch (IllegalMonitorStateException wrong) {
            throw new IllegalStateException(wrong); // wrapped
        }
    }
}
