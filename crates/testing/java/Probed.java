import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Objects of all shapes. Each method throws exactly where a condition holds that the tests state for its entry. */
public final class Probed {
    static int counter;
    static Probed root;
    static String title = "t";

    private int number;
    private long wide;
    private double real;
    private boolean flag;
    private char letter;
    private String name;
    private Probed next;
    private int[] numbers;
    private long[] longs;
    private Object[] objects;
    private List<Object> list;
    private Map<Object, Object> map;
    private Object other;

    /** Small numbers make small differences, so that each condition holds for some and not for others. */
    public static Probed make(int seed) {
        Probed made = new Probed();
        made.number = seed % 5;
        made.wide = (1L << 40) + seed % 3;
        made.real = seed % 4 == 0 ? Double.NaN : seed % 4 / 2.0;
        made.flag = seed % 2 == 0;
        made.letter = (char) ('a' + seed % 3);
        made.name = seed % 6 == 5 ? null : "name" + seed % 4;
        made.next = seed % 3 == 0 ? null : make(seed / 2);
        made.numbers = seed % 7 == 0 ? null : new int[] {seed % 3, seed % 5, seed};
        made.longs = new long[] {seed, -seed};
        made.objects = seed % 2 == 0 ? new String[] {"a", null} : new Object[] {made, seed, made.next};
        made.list = new ArrayList<Object>();
        made.map = new HashMap<Object, Object>();
        for (int k = 0; k < seed % 4; k++) {
            made.list.add("e" + k);
            made.map.put(k % 2 == 0 ? (Object) ("k" + k) : (Object) k, made);
        }
        made.other = seed % 4 == 0 ? made : seed % 4 == 1 ? (Object) "text" : seed % 4 == 2 ? (Object) made.name : null;
        counter = seed % 3;
        root = seed % 2 == 0 ? made : null;
        title = seed % 3 == 0 ? "the title" : "a title";
        return made;
    }

    private static void when(boolean holds) {
        if (holds) {
            throw new IllegalStateException();
        }
    }

    public void field() { when(number == 3); }
    public void path() { when(next != null && next.next != null && next.next.number < 2); }
    public void wideField() { when(wide > (1L << 40) + 1); }
    public void realField() { when(real < 0.75); }
    public void flagField() { when(flag); }
    public void letterField() { when(letter >= 'b'); }
    public void length() { when(numbers != null && numbers.length + number == 5); }
    public void element(int k) { when(numbers != null && k >= 0 && k < numbers.length && numbers[k] == 2); }
    public void computedElement(int k) { when(longs[k - 1] < -3); }
    public void objectElement() { when(objects[1] == null); }
    public void same() { when(other == this); }
    public void sameElement() { when(objects[0] == this); }
    public void sameNull(Object given) { when(given == next); }
    public void storable(Object value) { when(value == null || objects.getClass() == Object[].class || value instanceof String); }
    public void instance() { when(other instanceof String); }
    public void equalText(String text) { when(text.equals(name)); }
    public void ignoringCase(String text) { when(text.equalsIgnoreCase(name)); }
    public void prefix() { when(name != null && name.startsWith("name1")); }
    public void suffix() { when(name != null && name.endsWith("2")); }
    public void part() { when(name != null && name.contains("e3")); }
    public void element() { when(list.contains("e1")); }
    public void key() { when(map.containsKey("k2")); }
    public void size() { when(list.size() > 2); }
    public static void counted() { when(counter == 2); }
    public static void rooted() { when(root != null && root.number > 1); }
    public static void titled() { when(title.startsWith("the")); }
    public static void given(int a, long b, float c, double d, String e) { when(a < 1 && b > 2 && c >= 3 && d <= 4 && e == null); }

    /** The values are those of local variables, at the branch. */
    public void locals(int k) {
        int sum = k + number;
        long product = wide * k;
        Object object = k > 2 ? next : this;
        when(sum == 4 && product > wide && object == this);
    }

    /** Several places and several conditions, one of which is never reached. */
    public int guarded(int k) {
        if (k < 0) {
            throw new IllegalArgumentException();
        }
        k -= 10;
        if (next == null && k > number) {
            throw new IllegalStateException();
        }
        return k;
    }

    /** Nothing can be read of an object that is not one yet. */
    public static class Made {
        final int size;

        public Made(int size) {
            this.size = size > 3 ? size : -size;
            when(this.size == -2);
        }
    }

    /** Whoever asks it anything is found out. */
    public static class Hostile {
        @Override
        public boolean equals(Object other) { throw new AssertionError(); }

        @Override
        public int hashCode() { throw new AssertionError(); }

        @Override
        public String toString() { throw new AssertionError(); }
    }

    public static Probed hostile() {
        Probed made = make(1);
        made.other = new Hostile();
        made.list = new ArrayList<Object>() {
            @Override
            public boolean contains(Object element) { throw new AssertionError(); }

            @Override
            public int size() { throw new AssertionError(); }
        };
        return made;
    }

    public void unaware() { number++; }
}
