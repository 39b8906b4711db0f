import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import reenact.host.Probe;

/**
 * Calls the methods of Branchy with random arguments and compares what the probes say with a slow reference. Prints one
 * line per method: its name and the number of calls checked.
 */
public final class Distances {
    private static final int ROUNDS = 4000;
    private static final Random random = new Random(20);

    public static void main(String[] args) throws Exception {
        Method[] methods = Branchy.class.getDeclaredMethods();
        Arrays.sort(methods, (a, b) -> a.getName().compareTo(b.getName()));
        for (Method method : methods) {
            Boolean flip = null;
            for (int round = 0; round < ROUNDS; round++) {
                Object[] given = arguments(method);
                Object result = method.invoke(null, given);
                List<double[]> seen = drain();
                if (method.getName().equals("table") || method.getName().equals("lookup")) {
                    checkSwitch(method, given, (Integer) result, seen);
                } else {
                    flip = checkBranch(method, given, result, seen, flip);
                }
            }
            System.out.println(method.getName() + " " + ROUNDS);
        }
    }

    /** Each (id, distance to taken, distance to not taken). */
    private static List<double[]> drain() {
        ByteBuffer out = ByteBuffer.allocate(Probe.drainSize()).order(java.nio.ByteOrder.LITTLE_ENDIAN);
        Probe.drain(out);
        out.flip();
        require(out.getInt() == 0, "no line probes were asked for");
        List<double[]> seen = new ArrayList<>();
        for (int left = out.getInt(); left > 0; left--) {
            int id = out.getInt();
            seen.add(new double[] {id, out.getDouble(), out.getDouble()});
        }
        require(!out.hasRemaining(), "everything was read");
        return seen;
    }

    private static Boolean checkBranch(Method method, Object[] given, Object result, List<double[]> seen, Boolean flip) {
        String what = method.getName() + Arrays.deepToString(given);
        require(seen.size() == 1, what + ": one branch, not " + seen.size());
        double taken = seen.get(0)[1];
        double missed = seen.get(0)[2];
        require((taken == 0) != (missed == 0), what + ": one way is gone, " + taken + " " + missed);
        require(taken >= 0 && missed >= 0, what + ": no negative distance");
        boolean holds = result.equals(true) || result.equals(1);
        boolean jumps = taken == 0;
        require(flip == null || flip == (jumps != holds), what + ": went the other way");
        double other = Math.max(taken, missed);
        double expected = reference(method.getName(), given, holds);
        // Sums taken in another order differ in the last bits.
        boolean agrees = other == expected || Math.abs(other - expected) < 1e-9 * expected;
        require(Double.isNaN(expected) || agrees, what + ": " + other + " instead of " + expected);
        return jumps != holds;
    }

    /** The distance to the other outcome; NaN where nothing but its sign is fixed. */
    private static double reference(String name, Object[] given, boolean holds) {
        if (name.startsWith("int") || name.startsWith("zero")) {
            int right = given.length == 1 ? 0 : (Integer) given[1];
            return numbers(name, BigDecimal.valueOf((Integer) given[0]), BigDecimal.valueOf(right), holds);
        }
        if (name.startsWith("long")) {
            return numbers(name, BigDecimal.valueOf((Long) given[0]), BigDecimal.valueOf((Long) given[1]), holds);
        }
        if (name.startsWith("float") || name.startsWith("double")) {
            double left = ((Number) given[0]).doubleValue();
            double right = ((Number) given[1]).doubleValue();
            if (Double.isNaN(left) || Double.isNaN(right)) {
                return Double.MAX_VALUE;
            }
            if (left == right) {
                return Double.MIN_NORMAL;
            }
            double gap = Math.abs(left - right);
            return Double.isInfinite(gap) ? Double.MAX_VALUE : gap;
        }
        switch (name) {
            case "isNull": case "notNull":
                return 1;
            case "instance":
                return given[0] == null ? 2 : 1;
            case "stringEmpty":
                return Math.max(1, ((String) given[0]).length());
            case "collectionEmpty":
                return Math.max(1, ((Collection<?>) given[0]).size());
            case "equal": case "stringEqual":
                return given[0] instanceof String && given[1] instanceof String ? text((String) given[0], (String) given[1]) : Double.NaN;
            case "ignoreCase":
                return text(((String) given[0]).toLowerCase(), ((String) given[1]).toLowerCase());
            case "prefix":
                return window((String) given[0], 0, (String) given[1]);
            case "suffix":
                return window((String) given[0], ((String) given[0]).length() - ((String) given[1]).length(), (String) given[1]);
            case "digit": case "letter": case "space":
                return character(name, (Character) given[0], holds);
            default:
                return Double.NaN;
        }
    }

    private static double numbers(String name, BigDecimal left, BigDecimal right, boolean holds) {
        BigDecimal gap = left.subtract(right).abs();
        String op = name.substring(name.length() - 2);
        // Whether the nearest value on the other side lies at the border itself.
        boolean strict = holds ? op.equals("Lt") || op.equals("Gt") : op.equals("Ge") || op.equals("Le");
        boolean equality = op.equals("Eq") || op.equals("Ne");
        if (equality) {
            return gap.signum() == 0 ? 1 : gap.doubleValue();
        }
        return (strict ? gap : gap.add(BigDecimal.ONE)).doubleValue();
    }

    /** Edit distance over suffixes, with the whole table. Long strings are measured more coarsely. */
    private static double text(String left, String right) {
        if (left.equals(right)) {
            return 1;
        }
        if (left.length() > 32 || right.length() > 32) {
            return Double.NaN;
        }
        double[][] cost = new double[left.length() + 1][right.length() + 1];
        for (int i = left.length(); i >= 0; i--) {
            for (int j = right.length(); j >= 0; j--) {
                if (i == left.length() || j == right.length()) {
                    cost[i][j] = left.length() - i + right.length() - j;
                } else {
                    int gap = Math.abs(left.charAt(i) - right.charAt(j));
                    double replace = cost[i + 1][j + 1] + gap / (gap + 1.0);
                    cost[i][j] = Math.min(replace, 1 + Math.min(cost[i + 1][j], cost[i][j + 1]));
                }
            }
        }
        return cost[0][0];
    }

    private static double window(String text, int from, String part) {
        if (part.isEmpty()) {
            return Double.NaN;
        }
        double sum = 0;
        for (int k = 0; k < part.length(); k++) {
            int at = from + k;
            int gap = at < 0 || at >= text.length() ? -1 : Math.abs(text.charAt(at) - part.charAt(k));
            sum += gap < 0 ? 1 : gap / (gap + 1.0);
        }
        return sum == 0 ? 1 : sum;
    }

    private static double character(String test, char c, boolean holds) {
        for (int step = 1; step < 128; step++) {
            for (int other : new int[] {c - step, c + step}) {
                if (other >= 0 && other <= 0xffff) {
                    boolean passes = test.equals("digit") ? Character.isDigit((char) other)
                            : test.equals("letter") ? Character.isLetter((char) other) : Character.isWhitespace((char) other);
                    if (passes != holds) {
                        return step;
                    }
                }
            }
        }
        return Double.NaN;
    }

    /** All outcomes are measured, exactly the chosen one is 0, and the others are as far as the nearest key. */
    private static void checkSwitch(Method method, Object[] given, int result, List<double[]> seen) {
        String what = method.getName() + Arrays.toString(given);
        int[][] keys = method.getName().equals("table")
                ? new int[][] {{}, {3}, {4}, {5, 8}, {7}}
                : new int[][] {{}, {Integer.MIN_VALUE}, {-70000}, {10, 11, 1000000}, {Integer.MAX_VALUE}};
        Map<Integer, Double> byId = new TreeMap<>();
        seen.forEach(row -> byId.put((int) row[0], row[1]));
        require(byId.size() == keys.length, what + ": all outcomes, not " + byId);
        int outcome = 0;
        long value = (Integer) given[0];
        for (double distance : byId.values()) {
            require((distance == 0) == (outcome == result), what + ": outcome " + outcome + " at " + distance);
            if (outcome > 0) {
                long nearest = Long.MAX_VALUE;
                for (int key : keys[outcome]) {
                    nearest = Math.min(nearest, Math.abs(value - key));
                }
                require(distance == nearest, what + ": outcome " + outcome + " at " + distance);
            } else if (result != 0) {
                require(distance == wayOut(keys, value), what + ": default at " + distance);
            }
            outcome++;
        }
    }

    private static long wayOut(int[][] keys, long value) {
        for (long step = 1;; step++) {
            for (long other : new long[] {value - step, value + step}) {
                boolean isKey = false;
                for (int[] outcome : keys) {
                    for (int key : outcome) {
                        isKey |= key == other;
                    }
                }
                // Values outside int do not exist, but the search of the probe does not know that either way.
                if (!isKey) {
                    return step;
                }
            }
        }
    }

    private static Object[] arguments(Method method) {
        Class<?>[] types = method.getParameterTypes();
        Object[] given = new Object[types.length];
        for (int k = 0; k < given.length; k++) {
            given[k] = k > 0 && types[k] == types[0] && random.nextInt(8) == 0 ? given[0] : value(types[k], method.getName());
        }
        return given;
    }

    private static Object value(Class<?> type, String name) {
        if (type == int.class) {
            int[] special = {0, 1, -1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, Integer.MIN_VALUE, Integer.MAX_VALUE, Integer.MIN_VALUE + 1, -70000, -69999};
            return random.nextBoolean() ? special[random.nextInt(special.length)] : random.nextBoolean() ? random.nextInt() : random.nextInt(20) - 5;
        }
        if (type == long.class) {
            long[] special = {0, 1, -1, Long.MIN_VALUE, Long.MAX_VALUE, Long.MIN_VALUE + 1, 1L << 53, (1L << 53) + 1, Integer.MAX_VALUE};
            return random.nextBoolean() ? special[random.nextInt(special.length)] : random.nextBoolean() ? random.nextLong() : (long) random.nextInt(9);
        }
        if (type == float.class) {
            float[] special = {0f, -0f, 1f, Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, Float.MIN_VALUE, Float.MAX_VALUE, -Float.MAX_VALUE};
            return random.nextBoolean() ? special[random.nextInt(special.length)] : (float) random.nextGaussian();
        }
        if (type == double.class) {
            double[] special = {0, -0.0, 1, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.MIN_VALUE, 2 * Double.MIN_VALUE, Double.MAX_VALUE, -Double.MAX_VALUE};
            return random.nextBoolean() ? special[random.nextInt(special.length)] : random.nextGaussian();
        }
        if (type == char.class) {
            return random.nextInt(10) == 0 ? (char) random.nextInt(0x10000) : (char) random.nextInt(128);
        }
        if (type == String.class) {
            return text(random.nextInt(random.nextInt(12) == 0 ? 60 : 7));
        }
        if (type == Collection.class) {
            Collection<Object> made = random.nextBoolean() ? new ArrayList<>() : new HashSet<>();
            for (int k = random.nextInt(5); k > 0; k--) {
                made.add(object());
            }
            return made;
        }
        if (type == Map.class) {
            Map<Object, Object> made = new HashMap<>();
            for (int k = random.nextInt(5); k > 0; k--) {
                made.put(object(), 1);
            }
            return made;
        }
        Object made = object();
        return made == null && name.equals("equal") ? "" : made;
    }

    private static String text(int length) {
        StringBuilder made = new StringBuilder();
        while (made.length() < length) {
            made.append((char) ('a' + random.nextInt(3) - (random.nextInt(4) == 0 ? 32 : 0)));
        }
        return made.toString();
    }

    private static Object object() {
        switch (random.nextInt(7)) {
            case 0: return null;
            case 1: return random.nextInt(4);
            case 2: return (long) random.nextInt(4);
            case 3: return (char) ('a' + random.nextInt(3));
            case 4: return random.nextDouble();
            case 5: return Arrays.asList(1, 2);
            default: return text(random.nextInt(4));
        }
    }

    private static void require(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }
}
