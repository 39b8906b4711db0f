import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.IntBinaryOperator;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

public class Lambdas {
    interface Shape {
        int area(int size);

        default int twice(int size) {
            return area(size) * 2;
        }
    }

    static final Shape UNIT = size -> 1;

    final int base;

    Lambdas(int base) {
        this.base = base;
    }

    int add(int other) {
        return base + other;
    }

    static int square(int a) {
        return a * a;
    }

    static int captured(int a, int b) {
        IntBinaryOperator operator = (x, y) -> x * a + y * b;
        return operator.applyAsInt(b, a);
    }

    static int references(int a, int b) {
        Shape square = Lambdas::square;
        Lambdas bound = new Lambdas(b);
        Shape add = bound::add;
        IntFunction<Lambdas> make = Lambdas::new;
        BiFunction<Lambdas, Integer, Integer> unbound = Lambdas::add;
        return square.area(a) + add.twice(a) + make.apply(7).base + unbound.apply(bound, 3);
    }

    static int boxed(int a) {
        Function<Integer, Integer> increment = x -> x + 1;
        Function<Integer, Integer> both = increment.andThen(x -> x * 2).compose(x -> x - 3);
        Supplier<Long> supplier = () -> (long) a;
        ToIntFunction<String> length = String::length;
        return both.apply(a) + supplier.get().intValue() + length.applyAsInt("four");
    }

    static int widened(int a) {
        Function<Integer, Long> wide = x -> (long) x << 33;
        Supplier<Object> text = () -> "t" + a;
        return wide.apply(a).hashCode() + text.get().hashCode();
    }

    static int nothing(int a) {
        Function<String, Integer> length = String::length;
        return length.apply(a > 3 ? "abc" : null);
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    static int wrongClass(int a) {
        Function raw = (Function<String, Integer>) String::length;
        return (Integer) raw.apply(a > 3 ? "abc" : (Object) Integer.valueOf(a));
    }

    static int constant(int a) {
        Predicate<Integer> positive = x -> x > 0;
        return UNIT.twice(a) + (positive.negate().or(x -> x > 5).test(a) ? 10 : 20);
    }

    static int inside(int a) {
        Supplier<Supplier<Integer>> nested = () -> () -> a + 1;
        Runnable thrower = () -> {
            if (a > 7) {
                throw new IllegalStateException("a");
            }
        };
        thrower.run();
        return nested.get().get();
    }

    static int sorted(int a, int b) {
        List<Integer> list = new ArrayList<>();
        list.add(a);
        list.add(b);
        Comparator<Integer> order = Comparator.<Integer>naturalOrder().reversed();
        return order.compare(a, b) + list.size();
    }
}
