import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A program that uses most of the language and prints what it does; spliced or not, it must print the same. */
public final class Workout {
    interface Shape { double area(); default String name() { return getClass().getSimpleName(); } }
    static final class Circle implements Shape {
        final double radius;
        Circle(double radius) { this(radius, true); }
        private Circle(double radius, boolean check) {
            if (check && !(radius >= 0)) { throw new IllegalArgumentException("radius " + radius); }
            this.radius = radius;
        }
        public double area() { return Math.PI * radius * radius; }
    }
    enum Level {
        LOW, MIDDLE { @Override int weight() { return 5; } }, HIGH;
        int weight() { return ordinal(); }
        static final Map<String, Level> BY_NAME = new HashMap<>();
        static { for (Level level : values()) { BY_NAME.put(level.name().toLowerCase(), level); } }
    }
    static final class Node implements Serializable {
        private static final long serialVersionUID = 3;
        int value;
        transient int cache;
        Node next;
        Node(int value, Node next) { this.value = value; this.next = next; }
    }
    static class Order {
        static final StringBuilder log = new StringBuilder();
        static int counter = 10;
        static { log.append("Order "); counter += 5; }
    }
    static final class SubOrder extends Order {
        static final int CONSTANT = 42;
        static final Integer BOXED = 43;
        static { log.append("SubOrder ").append(counter).append(' '); }
    }
    static int calls;

    public static void main(String[] args) throws Exception {
        numbers();
        strings();
        switches();
        exceptions();
        objects();
        loops();
        statics();
        threads();
    }

    private static void numbers() {
        long[] longs = {0, 1, -1, Long.MAX_VALUE, Long.MIN_VALUE};
        double[] doubles = {0.0, -0.0, 1.5, Double.NaN, Double.POSITIVE_INFINITY};
        float[] floats = {0f, Float.NaN, -3.25f};
        StringBuilder out = new StringBuilder();
        for (long a : longs) { for (long b : longs) { out.append(a < b ? '<' : a > b ? '>' : '=').append(a + b ^ a * 31).append(' '); } }
        for (double a : doubles) { for (double b : doubles) { out.append(a < b).append(a >= b).append(a == b).append(a != b ? 'x' : 'y'); } }
        for (float a : floats) { for (float b : floats) { out.append(a <= b ? 1 : 0).append(!(a > b) ? 1 : 0); } }
        for (int shift = 0; shift < 70; shift += 9) { out.append(1 << shift).append(-1L >>> shift).append((byte) (shift * 37)); }
        int[] counts = new int[4];
        counts[1]++; counts[1] <<= 3; counts[2]--; counts[3] += counts[1]-- * 2;
        out.append(Arrays.toString(counts)).append((char) ('a' + counts[1])).append((int) 3.99e20).append((long) Float.NaN);
        int[][][] cube = new int[2][3][];
        cube[1][2] = new int[] {1, 2};
        out.append(Arrays.deepToString(cube)).append(new long[2][2].length);
        System.out.println(out);
    }

    private static void strings() {
        List<String> words = Arrays.asList("alpha", "Beta", "", "gamma ray", "alpha", null, "δέλτα");
        StringBuilder out = new StringBuilder();
        for (String word : words) {
            if (word == null) { out.append("null!"); continue; }
            if (word.isEmpty()) { out.append("empty!"); }
            if (word.startsWith("al") && !word.endsWith("x")) { out.append("al:"); }
            if (word.equalsIgnoreCase("BETA")) { out.append("beta:"); }
            if (word.contains("ray") || word.equals("δέλτα")) { out.append(word.indexOf('a')); }
            for (char c : word.toCharArray()) {
                if (Character.isUpperCase(c)) { out.append('^'); } else if (!Character.isLetter(c)) { out.append('_'); }
            }
            out.append(word.hashCode()).append(';');
        }
        out.append(String.format("%5d|%-6s|%08.3f", 42, "ab", Math.E)).append(String.join("+", "a", "b"));
        System.out.println(out);
    }

    private static void switches() {
        StringBuilder out = new StringBuilder();
        for (int i = -3; i < 12; i++) {
            switch (i) {
                case -2: out.append('a');
                case 0: out.append('b'); break;
                case 3: case 4: out.append('c'); break;
                case 11: out.append('z'); break;
                default: out.append('.');
            }
            switch (i * 1000) { case 1000: out.append('1'); break; case 5000: out.append('5'); break; default: }
        }
        for (String word : new String[] {"one", "two", "Aa", "BB", "none"}) {
            switch (word) { case "one": out.append(1); break; case "two": out.append(2); break; case "Aa": out.append("A"); break; case "BB": out.append("B"); break; default: out.append('?'); }
        }
        Map<Level, Integer> weights = new EnumMap<>(Level.class);
        for (Level level : Level.values()) {
            switch (level) { case LOW: weights.put(level, -1); break; case HIGH: weights.put(level, 99); break; default: weights.put(level, level.weight()); }
        }
        out.append(weights).append(Level.BY_NAME.get("middle").weight()).append(Level.valueOf("LOW"));
        System.out.println(out);
    }

    private static void exceptions() {
        Object[] store = new String[1];
        List<Callable<?>> bad = Arrays.asList(
                () -> ((Object) null).toString(),
                () -> new int[3][-4][1][5],
                () -> new int[-1],
                () -> { store[0] = 3; return 0; },
                () -> (String) (Object) 5,
                () -> 1 / (calls - calls),
                () -> new Circle(-1),
                () -> new ArrayList<>(Arrays.asList(1, 2)).get(2),
                () -> "abc".substring(4),
                () -> Integer.parseInt("x1"),
                () -> Level.valueOf("NONE"),
                () -> Collections.emptyIterator().next(),
                () -> { String[] a = {null}; if (a[0].equals("x")) { return 1; } return 0; },
                () -> { Map<String, String> m = null; if (!m.containsKey("k")) { return 1; } return 0; },
                () -> { int[][] g = new int[2][]; g[1][0] += 3; return g; },
                () -> { Node n = new Node(1, null); n.next.value = n.value; return n; },
                () -> { String s = null; switch (s) { case "a": return 1; default: return 2; } },
                () -> { long[] l = null; if (l[0] < 5) { return 1; } return 0; },
                () -> deep(20),
                () -> { throw new IllegalStateException("outer", new java.io.IOException("inner")); });
        for (Callable<?> call : bad) {
            try {
                System.out.println("returned " + call.call());
            } catch (Throwable thrown) {
                System.out.print(thrown);
                for (StackTraceElement frame : thrown.getStackTrace()) {
                    // Frames of the program; the JDK's own differ between versions, not between runs.
                    if (frame.getClassName().startsWith("Workout")) { System.out.print(" " + frame.getMethodName().replaceAll("\\d", "") + ":" + frame.getLineNumber()); }
                }
                System.out.println(thrown.getCause() == null ? "" : " because " + thrown.getCause());
            }
        }
        System.out.println(finals(0) + finals(1) + finals(2));
    }

    private static int deep(int n) {
        if (n == 0) { throw new UnsupportedOperationException("bottom"); }
        try {
            return n % 2 == 0
                    ? deep(n - 1)
                    : deep(n - 1) + 1;
        } finally {
            calls++;
        }
    }

    private static String finals(int kind) {
        StringBuilder out = new StringBuilder();
        try {
            try {
                if (kind == 1) { throw new RuntimeException("1"); }
                if (kind == 2) { return "early" + out.append("r"); }
                out.append("body ");
            } catch (RuntimeException e) {
                out.append("catch ").append(e.getMessage());
                throw e;
            } finally {
                out.append("finally ");
            }
        } catch (RuntimeException e) {
            out.append("outer ");
        }
        return out.toString();
    }

    private static void objects() throws Exception {
        List<Shape> shapes = new ArrayList<>(Arrays.asList(new Circle(2), () -> 7.5, new Shape() { public double area() { return -0.0; } @Override public String name() { return "none"; } }));
        Node list = null;
        for (int i = 0; i < 5; i++) { list = new Node(i * i, list); }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) { out.writeObject(list); }
        Node copy = (Node) new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
        int sum = 0;
        for (Node node = copy; node != null; node = node.next) { sum = sum * 10 + node.value; if (node instanceof Serializable) { sum++; } }
        System.out.println(shapes.get(0).area() + shapes.get(1).area() + " " + shapes.get(2).name() + sum + (copy == list));
        Function<Integer, Function<Integer, Integer>> adder = a -> b -> a + b;
        System.out.println(IntStream.range(0, 20).filter(i -> i % 3 == 1).mapToObj(i -> "n" + adder.apply(i).apply(1)).collect(Collectors.joining(",")));
        System.out.println(new TreeMap<>(Collections.singletonMap("k", Workout.class.getName())) + " " + Order.class.getDeclaredFields().length);
    }

    private static void loops() {
        StringBuilder out = new StringBuilder();
        outer:
        for (int i = 0; ; i++) {
            int j = 0;
            do {
                if (j == 3) { continue outer; }
                if (i * j == 8) { break outer; }
                out.append(i ^ j);
                j++;
            } while (true);
        }
        int[] data = {5, 2, 9, 1, 7, 3};
        for (int i = 1; i < data.length; i++) {
            int value = data[i];
            int j = i - 1;
            while (j >= 0 && data[j] > value) { data[j + 1] = data[j--]; }
            data[j + 1] = value;
        }
        System.out.println(out + Arrays.toString(data));
    }

    private static void statics() {
        System.out.println(SubOrder.CONSTANT + " " + Order.log);
        System.out.println(SubOrder.BOXED + " " + Order.log);
        Order.counter++;
        System.out.println(Order.counter + calls);
    }

    private static void threads() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(3);
        Object lock = new Object();
        int[] total = {0};
        List<java.util.concurrent.Future<?>> done = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            int add = i;
            done.add(pool.submit(() -> { for (int k = 0; k < 100; k++) { synchronized (lock) { total[0] += add; } } }));
        }
        for (java.util.concurrent.Future<?> future : done) { future.get(); }
        pool.shutdown();
        System.out.println(total[0]);
    }

    private Workout() {}
}
