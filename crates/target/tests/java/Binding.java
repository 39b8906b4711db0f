import java.lang.reflect.Proxy;
import java.util.*;
import java.util.function.*;

/** Ways from one frame to the next: every frame must bind by its call. */
public class Binding {
    static int fail() { throw new IllegalStateException("here"); }

    static void caseOverloads() { overload(1); }
    static int overload(int n) { return overload((long) n); }
    static int overload(long n) { return overload("" + n); }
    static int overload(String s) { return fail(); }

    static void caseOneLine() { oneLine(1); }
    static int oneLine(int n) { return fail(); } static int oneLine(String s) { return 2; }

    static class Key implements Comparable<Key> {
        public int compareTo(Key other) { return fail(); }
    }
    @SuppressWarnings({"unchecked", "rawtypes"})
    static void caseBridge() { Comparable c = new Key(); c.compareTo(new Key()); }
    static void caseBridgeThroughSort() { new TreeSet<>(Arrays.asList(new Key(), new Key())); }

    static class Base { void run() { step(); } void step() { } void stepWith(String s) { } }
    static class Derived extends Base { @Override void step() { fail(); } @Override void stepWith(String s) { fail(); } }
    static void caseVirtual() { new Derived().run(); }
    static class Inherits extends Derived { }
    static void caseInherited() { Inherits i = new Inherits(); i.run(); }
    static class Calls extends Derived { @Override void step() { super.step(); } }
    static void caseSuper() { new Calls().run(); }

    interface Shape { default int area() { return side() * side(); } int side(); }
    static class Square implements Shape { public int side() { return fail(); } }
    static void caseDefault() { new Square().area(); }

    private int hidden() { return fail(); }
    class Inner { int run() { return hidden(); } }
    static void caseInner() { new Binding().new Inner().run(); }

    static void caseLambda() { apply(() -> fail()); }
    static int apply(IntSupplier s) { return s.getAsInt(); }
    static void caseMethodReference() { apply(Binding::fail); }
    /** The reference is made by a class that is not on the stack. */
    static class References { static final Function<String, Made> MADE = Made::new; static final BiConsumer<Base, String> STEP = Base::stepWith; }
    static class Made { Made(String s) { fail(); } }
    static Object make(Function<String, Made> f) { return f.apply("a"); }
    static void caseConstructorReferenceOfAnother() { make(References.MADE); }
    static void each(BiConsumer<Base, String> action, Base base) { action.accept(base, "a"); }
    static void caseOverriddenReference() { each(References.STEP, new Derived()); }

    static void caseMethodHandle() throws Throwable {
        java.lang.invoke.MethodHandle handle = java.lang.invoke.MethodHandles.lookup().findStatic(Binding.class, "fail", java.lang.invoke.MethodType.methodType(int.class));
        int n = (int) handle.invokeExact();
    }

    static void caseStream() { Arrays.asList(1, 2).stream().map(n -> fail() + n).forEach(n -> { }); }
    static void caseNestedLambda() { apply(() -> apply(() -> fail())); }
    static void caseCapturing() { int n = 3; apply(() -> fail() + n); }

    static class Initialised { static final int VALUE = fail(); static void touch() { } }
    static void caseInitialiser() { try { Initialised.touch(); } catch (ExceptionInInitializerError e) { throw (RuntimeException) e.getCause(); } }

    static class Constructed { final int n = fail(); Constructed() { } Constructed(int a) { this(); } }
    static void caseConstructor() { new Constructed(1); }
    static class SubConstructed extends Constructed { SubConstructed() { super(2); } }
    static void caseSuperConstructor() { new SubConstructed(); }

    static void caseAnonymous() { new Object() { void run() { fail(); } }.run(); }
    static void caseProxy() {
        Runnable r = (Runnable) Proxy.newProxyInstance(Binding.class.getClassLoader(), new Class<?>[] {Runnable.class}, (p, m, a) -> fail());
        r.run();
    }
    static void caseReflection() throws Throwable {
        try {
            Binding.class.getDeclaredMethod("fail").invoke(null);
        } catch (java.lang.reflect.InvocationTargetException e) {
            throw e.getCause();
        }
    }
    static void caseConcatenation() { String s = "a" + new Object() { @Override public String toString() { return "" + fail(); } }; }
    static void caseComparator() { List<String> l = new ArrayList<>(Arrays.asList("b", "a")); l.sort((a, b) -> fail()); }
    static void caseFinally() { try { fail(); } finally { "x".length(); } }
    static void caseMultiLine() {
        multi(
            1,
            fail(),
            3);
    }
    static int multi(int a, int b, int c) { return a; }
    static void caseChain() {
        new StringBuilder()
            .append("a")
            .append(fail())
            .append("b");
    }
    enum Op { PLUS { int apply() { return fail(); } }; abstract int apply(); }
    static void caseEnumBody() { Op.PLUS.apply(); }
    static synchronized int locked() { return fail(); }
    static void caseSynchronized() { locked(); }
    static class Resource implements AutoCloseable { public void close() { fail(); } }
    static void caseResource() { try (Resource r = new Resource()) { r.hashCode(); } }
    static <T> T generic(Supplier<T> s) { return s.get(); }
    static void caseGeneric() { Integer i = generic(() -> fail()); }
    static int varargs(Object... all) { return fail(); }
    static void caseVarargs() { varargs(1, "a"); }
    static void caseIterator() { for (String s : new Iterable<String>() { public Iterator<String> iterator() { fail(); return null; } }) { } }
    static void caseCompute() { new HashMap<String, Integer>().computeIfAbsent("a", k -> fail()); }
    static void caseThreadLocal() { ThreadLocal.withInitial(() -> fail()).get(); }
}
