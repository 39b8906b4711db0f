import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.text.MessageFormat;
import java.util.*;
import java.util.concurrent.Callable;
import java.util.function.*;
import java.util.stream.*;

/** What compilers make of newer Java: lambdas, records, bridges, resources, switches, statements over several lines. */
public class Shapes {
    static void caseLambda() { apply(text -> text.length(), null); }
    static int apply(Function<String, Integer> f, String text) {
        return f.apply(text);
    }
    static void caseLambdaInLambda() {
        Supplier<Supplier<Integer>> outer = () -> () -> Integer.parseInt("x1"); //> Library invoke parseInt: *; argument = "x1"
        outer.get().get();
    }
    static void caseMethodReference() { apply(Shapes::lengthOf, null); }
    static int lengthOf(String text) {
        return text.length(); //> NullDereference invoke length: text == null
    }
    static void caseConstructorReference() {
        Function<Integer, Sized> make = Sized::new;
        make.apply(-3);
    }
    static class Sized {
        final int[] items;
        Sized(int size) {
            items = new int[size]; //> NegativeSize newarray: size < 0; size = -3
        }
    }
    static void caseStream() {
        Stream.of("1", "x").map(Integer::valueOf).filter(n -> n > 0).collect(Collectors.toList());
    }
    static void caseStreamOfOwn() {
        Stream.of(List.of(1), List.<Integer>of())
            .map(list -> list.get(0)) //> Library invoke get: *
            .forEach(n -> { });
    }
    static void caseStreamSorted() {
        Stream.of("a", null, "b").sorted(Comparator.comparing(s -> s.length())).toArray(); //> NullDereference invoke length: s == null
    }

    record Range(int from, int to) {
        Range {
            if (from > to) throw new IllegalArgumentException("from " + from + " to " + to); //> Explicit athrow: from > to; from = 2; to = 1
        }
        int length() { return to - from; }
    }
    static void caseRecord() { new Range(2, 1); }
    static void caseRecordHash() { new Named(null).hash(); }
    record Named(String name) {
        int hash() {
            return name().hashCode(); //> NullDereference invoke hashCode: this.name() == null
        }
    }

    interface Shape<T extends Comparable<T>> { int compareTo(T other); }
    static class Square implements Shape<Integer> {
        Integer side;
        public int compareTo(Integer other) {
            return side - other; //>? NullDereference invoke intValue: this.side == null
        }
    }
    static void caseBridge() { compare(new Square(), 3); }
    static <T extends Comparable<T>> int compare(Shape<T> shape, T other) {
        return shape.compareTo(other);
    }
    @SuppressWarnings({"unchecked", "rawtypes"})
    static void caseBridgeCast() { ((Shape) new Square()).compareTo("x"); }
    static class Base { Object make(Object o) { return o.toString(); } }
    static class Derived extends Base {
        @Override String make(Object o) {
            return (String) super.make(o);
        }
    }
    static void caseCovariant() { Base base = new Derived(); base.make(null); }

    static class Resource implements Closeable {
        final String name;
        Resource(String name) { this.name = name; }
        public void close() throws IOException {
            if (name.length() > 3) throw new IOException("closing " + name); //> Explicit athrow: this.name.length() > 3; this.name = "four"
        }
    }
    static void caseTryWithResources() throws IOException {
        try (Resource one = new Resource("one"); Resource two = new Resource("four")) {
            one.name.length();
        }
    }
    static void caseTryFinally() {
        try {
            fail("in try");
        } finally {
            if (System.nanoTime() == 0) fail("in finally");
        }
    }
    static void fail(String why) {
        throw new IllegalStateException(why); //> Explicit athrow: always when reached
    }
    static void caseSwitchOnString() { switched("b", null); }
    static int switched(String kind, String text) {
        switch (kind) {
            case "a": return 1;
            case "b": return text.length(); //> NullDereference invoke length: text == null
            default: throw new IllegalArgumentException(kind);
        }
    }
    static void caseSwitchOnNull() { switchedOnNull(null); }
    static int switchedOnNull(String kind) {
        switch (kind) { //> NullDereference invoke hashCode: kind == null
            case "a": return 1;
            default: return 2;
        }
    }
    enum Kind {
        PLAIN, ODD { @Override int weigh(String s) { return s.length() / (s.length() - 2); } }; //> Division div: s.length() - 2 == 0
        int weigh(String s) { return 0; }
    }
    static void caseEnumBody() { Kind.ODD.weigh("ab"); }
    static void caseEnumSwitch() { enumSwitch(null); }
    static int enumSwitch(Kind kind) {
        return switch (kind) { //> NullDereference invoke ordinal: kind == null
            case PLAIN -> 1;
            case ODD -> 2;
        };
    }
    static void caseEnumValueOf() { Kind.valueOf("EVEN"); }

    static void caseLongStatement() { longStatement("a", null, "c"); }
    static int longStatement(String a, String b, String c) {
        return a.length()
            + b.length() //> NullDereference invoke length: b == null
            + c.length();
    }
    static void caseLongCall() {
        longStatement(
            "a",
            "b".trim(),
            String.valueOf(
                Integer.parseInt("z"))); //> Library invoke parseInt: *
    }
    static void caseBuilder() {
        new StringBuilder()
            .append("a")
            .append(2)
            .deleteCharAt(7) //> Library invoke deleteCharAt: *
            .append("b");
    }
    static void caseConditional() { conditional(null, null); }
    static int conditional(String a, String b) {
        return a != null ? a.length() : b.length(); //> NullDereference invoke length: b == null
    }

    interface Default { default int size() { return items().length; } int[] items(); } //> NullDereference length: this.items() == null
    static void caseDefaultMethod() { Default none = () -> null; none.size(); }
    interface Statics { static int parse(String s) { return hidden(s); } private static int hidden(String s) { return s.length(); } } //> NullDereference invoke length: s == null
    static void caseStaticOfInterface() { Statics.parse(null); }
    static void caseAnonymous() throws Exception {
        new Callable<Object>() {
            final Object held = null;
            public Object call() {
                return held.toString(); //> NullDereference invoke toString: this.held == null
            }
        }.call();
    }
    class Inner {
        class Innermost {
            String name() {
                return label.trim(); //> NullDereference invoke trim: Shapes.this.label == null
            }
        }
    }
    private String label;
    static void caseInner() { new Shapes().new Inner().new Innermost().name(); }
    static void caseLocalClass() {
        int[] captured = new int[2];
        class Local { int at(int i) { return captured[i]; } } //> ArrayIndex load Int: i < 0 || i >= this.val$captured.length
        new Local().at(2);
    }
    static void caseInitialiserBlock() { new Initialised(0); }
    static class Initialised {
        int quotient;
        { quotient = 1 / divisor(); } //> Division div: this.divisor() == 0
        Initialised(int ignored) { }
        int divisor() { return 0; }
    }
    static void caseVarargs() { sum(1, null, 3); }
    static int sum(Integer... numbers) {
        int sum = 0;
        for (Integer number : numbers) sum += number; //> NullDereference invoke intValue: number == null
        return sum;
    }
    static void caseForEachMap() {
        Map<String, Integer> map = new HashMap<>(Map.of("a", 1, "b", 2));
        for (String key : map.keySet()) map.remove(key); //> Library invoke next: *
    }
    static void caseSynchronized() { locked(null); }
    static void locked(Object lock) {
        synchronized (lock) { //> NullDereference monitorenter: lock == null
            lock.hashCode();
        }
    }

    static void caseRequireNonNull() { require(null); }
    static void require(Object o) {
        Objects.requireNonNull(o, "o must be set"); //> Library invoke requireNonNull: o == null
    }
    static void caseRequireNonNullSupplier() { requireLazily(null, "lazy"); }
    static void requireLazily(Object o, String name) {
        Objects.requireNonNull(o, () -> name + " must be set"); //> Library invoke requireNonNull: o == null
    }
    static void caseOrElseThrow() { orElseThrow(Optional.empty(), 7); }
    static Object orElseThrow(Optional<Object> found, int id) {
        return found.orElseThrow(() -> new NoSuchElementException("no element " + id)); //> Helper invoke <init>: *; id = 7
    }
    static void caseOptionalGet() { optionalGet(Optional.empty()); }
    static Object optionalGet(Optional<Object> found) {
        return found.get(); //> Library invoke get: found.value == null
    }
    static void caseMessageFormat() { messageFormat("disk", 5); }
    static void messageFormat(String name, int number) {
        throw new IllegalStateException(MessageFormat.format("{0} number {1} is full", name, number)); //> Explicit athrow: *; name = "disk"; number = 5
    }
    static void caseFormatted() { formatted("disk", 0x1f); }
    static void formatted(String name, int number) {
        throw new IllegalStateException("%s: %d left".formatted(name, number)); //> Explicit athrow: *; name = "disk"; number = 31
    }
    static void caseBuiltMessage() { builtMessage("disk", 5); }
    static void builtMessage(String name, long number) {
        StringBuilder text = new StringBuilder("device ");
        text.append(name).append(" has ");
        text.append(number);
        throw new IllegalStateException(text.toString()); //> Explicit athrow: *; name = "disk"; number = 5
    }
    static void caseWrapped() { wrapped("a"); }
    static void wrapped(String path) {
        try {
            throw new IOException("cannot read " + path);
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + path, e); //> Explicit athrow: *; path = "a"
        }
    }
    static void caseImmutable() { immutable(List.of(1)); }
    static void immutable(List<Integer> list) {
        list.add(2); //> Library invoke add: *
    }
    static void caseUnboxing() { unboxing(Map.of()); }
    static int unboxing(Map<String, Integer> map) {
        return map.get("a"); //> NullDereference invoke intValue: map.get("a") == null
    }
    static void caseCharAt() { charAt("ab", 2); }
    static char charAt(String text, int i) {
        return text.charAt(i); //> Library invoke charAt: i < 0 || i >= text.length()
    }
    static void caseSubstring() { substring("ab", 2, 1); }
    static String substring(String text, int from, int to) {
        return text.substring(from, to); //> Library invoke substring: from < 0 || from > to || to > text.length()
    }
}
