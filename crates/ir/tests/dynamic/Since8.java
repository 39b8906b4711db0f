import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntBinaryOperator;
import java.util.function.Supplier;

/** Lambdas and method references, as compilers since Java 8 write them, and where exceptions go. */
class Since8 {
    int own;

    Runnable withoutCapture() {
        return () -> System.out.println();
    }

    IntBinaryOperator withCapture(int a, long b) {
        return (x, y) -> x + y + a + (int) b + own;
    }

    Function<String, Integer> ofClass() {
        return String::length;
    }

    Supplier<String> ofObject(Object it) {
        return it::toString;
    }

    Supplier<List<String>> ofConstructor() {
        return ArrayList::new;
    }

    Function<Integer, int[]> ofArray() {
        return int[]::new;
    }

    Comparator<String> serializable() {
        return (Comparator<String> & Serializable) (a, b) -> a.compareTo(b);
    }

    interface Named<T> extends Comparator<T> {
        @Override
        int compare(T a, T b);
    }

    interface OfStrings extends Named<String> {
        @Override
        int compare(String a, String b);
    }

    OfStrings bridged() {
        return (a, b) -> 0;
    }

    static int caught(int[] array, int index, Object other) {
        try {
            int value = array[index] / index;
            ((Runnable) other).run();
            return value;
        } catch (ArithmeticException e) {
            return 1;
        } catch (RuntimeException e) {
            return 2;
        } finally {
            array[0] = 3;
        }
    }

    static void rethrown(boolean mine) throws Exception {
        try {
            if (mine) {
                throw new IllegalStateException("mine");
            }
            synchronized (Since8.class) {
                StaticOnly.count++;
            }
        } catch (LinkageError e) {
            throw new Exception(e);
        }
    }

    static class StaticOnly {
        static int count = "count".length();
    }
}
