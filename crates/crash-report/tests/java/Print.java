import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;

/** Prints exceptions twice: as the JVM does, and as the tree that a reader of that text has to find. */
public class Print {
    static PrintWriter out = new PrintWriter(System.out, true);

    public static void main(String[] args) throws Exception {
        show("plain", caught(() -> { throw new IllegalStateException("queue is closed"); }));
        show("no message", caught(() -> { throw new IllegalStateException(); }));
        show("empty message", caught(() -> { throw new IllegalStateException(""); }));
        show("several lines", caught(() -> { throw new IllegalStateException("first\nsecond\n\n  fourth: x"); }));
        show("null pointer", caught(() -> { String s = args.length > 99 ? "" : null; return s.length(); }));
        show("cast", caught(() -> { Object o = "x"; return (Integer) o; }));
        show("inside the JDK", caught(() -> List.of(1, 2).get(5)));
        show("causes", caught(() -> outer(0)));
        show("deep causes", caught(() -> outer(6)));
        show("suppressed", caught(Print::suppressed));
        show("circular", circular());
        show("lambda in a stream", caught(() -> List.of("a", "b").stream().map(Integer::parseInt).toList()));
        show("reflection", caught(() -> Print.class.getDeclaredMethod("thrower", int.class).invoke(null, 3)));
        show("proxy", caught(() -> proxy().call()));
        show("static initialiser", caught(() -> Broken.VALUE));
        show("static initialiser again", caught(() -> Broken.VALUE));
        show("no stack", new Stackless("made without a stack", caught(() -> outer(0))));
        show("own toString", caught(() -> { throw new OddException("x"); }));
        show("recursion", caught(() -> recursion(0)));
        show("anonymous", caught(new Callable<Object>() {
            class Inner { Object go() { throw new UnsupportedOperationException("from an inner class"); } }
            public Object call() { return new Inner().go(); }
        }));
    }

    static Throwable caught(Callable<?> body) {
        try { body.call(); } catch (Throwable t) { return t; }
        throw new AssertionError("nothing was thrown");
    }

    static Object outer(int depth) {
        try { return inner(depth); } catch (Exception e) { throw new RuntimeException("outer " + depth, e); }
    }

    static Object inner(int depth) throws Exception {
        if (depth > 0) return outer(depth - 1);
        try { thrower(1); } catch (ArithmeticException e) { throw new Exception(e); }
        return null;
    }

    static int thrower(int x) { return x / (x - x); }

    static Object suppressed() throws Exception {
        try (AutoCloseable a = () -> { throw new Exception("close a", new Error("why")); };
             AutoCloseable b = () -> { throw new Exception("close b"); }) {
            return outer(1);
        }
    }

    static Throwable circular() {
        Exception a = new Exception("a"), b = new Exception("b"), c = new Exception("c");
        a.initCause(b);
        b.initCause(a);
        b.addSuppressed(c);
        c.initCause(b);
        return a;
    }

    @SuppressWarnings("unchecked")
    static Callable<Object> proxy() {
        InvocationHandler handler = (self, method, args) -> { throw new IllegalArgumentException("in a proxy"); };
        return (Callable<Object>) Proxy.newProxyInstance(Print.class.getClassLoader(), new Class<?>[] { Callable.class }, handler);
    }

    static int recursion(int depth) {
        if (depth > 40) throw new IllegalStateException("deep");
        return recursion(depth + 1) + 1;
    }

    static class Broken { static final Object VALUE = thrower(7); }

    static class OddException extends RuntimeException {
        OddException(String message) { super(message); }
        public String toString() { return getClass().getName() + "; at a place; " + getMessage(); }
    }

    static class Stackless extends RuntimeException {
        Stackless(String message, Throwable cause) { super(message, cause, true, false); }
    }

    static void show(String name, Throwable t) {
        out.println("=== " + name);
        StringWriter text = new StringWriter();
        t.printStackTrace(new PrintWriter(text, true));
        out.print(text);
        out.println("--- tree");
        tree(t, "top", 0, Collections.newSetFromMap(new IdentityHashMap<>()));
    }

    static void tree(Throwable t, String role, int depth, Set<Throwable> seen) {
        boolean circular = !seen.add(t);
        String text = t.toString().substring(t.getClass().getName().length());
        String message = text.isEmpty() ? "-" : text.replaceFirst("^(: |; )", "=");
        out.println(depth + " " + role + " " + t.getClass().getName() + " " + circular + " " + message.replace("\n", "\\n"));
        if (circular) return;
        for (StackTraceElement e : t.getStackTrace()) {
            out.println("\t" + e.getClassName() + "\t" + e.getMethodName() + "\t" + e.getFileName() + "\t" + e.getLineNumber());
        }
        for (Throwable s : t.getSuppressed()) tree(s, "suppressed", depth + 1, seen);
        if (t.getCause() != null) tree(t.getCause(), "cause", depth + 1, seen);
    }
}
