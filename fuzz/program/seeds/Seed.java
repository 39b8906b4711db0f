import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import java.util.function.Function;

/** What class files are made of. Compiled for several versions (`javac -g -parameters --release N`), its classes are the seed corpus. */
public abstract class Seed<T extends Comparable<? super T>> implements Function<T, String> {
    @Retention(RetentionPolicy.RUNTIME)
    @interface Mark {
        int number() default 3;

        String[] texts() default {"a", "b"};

        Class<?> type() default void.class;

        Level level() default Level.LOW;
    }

    enum Level {
        LOW, HIGH
    }

    static final long LONG = 1L << 40;
    @Deprecated protected double[][] grid = new double[2][3];

    @Mark(number = 7, type = String[].class)
    int run(@Mark int count, List<? extends T> items) throws Exception {
        int sum = 0;
        for (T item : items) {
            switch (count % 5) {
                case 0: sum += item.hashCode(); break;
                case 1: sum -= 2; break;
                case 3: sum <<= 1; break;
                default: sum ^= (int) LONG;
            }
        }
        synchronized (this) {
            try {
                sum /= count;
            } catch (ArithmeticException | NullPointerException e) {
                throw new IllegalStateException("count " + count, e);
            } finally {
                grid[0][1] = sum > 1.5f ? -0.0 : Double.NaN;
            }
        }
        Function<T, String> other = item -> item + "\uD800" + count;
        Object local = new Object() {
            @Override public String toString() {
                return other.toString() + grid.length;
            }
        };
        return local instanceof Seed && Level.valueOf("LOW") == Level.LOW ? sum : ~sum;
    }

    static long lookup(String key, long value) {
        switch (key) {
            case "one": return value * 1;
            case "million": return (byte) value % 1_000_000;
            default: return (long) (float) value >>> 3;
        }
    }
}
