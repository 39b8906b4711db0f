import java.io.PrintStream;
import java.io.StringReader;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * What handlers do with an exception. The line of the call in each method says what becomes of it: `leaves`, `open` (it stays, but
 * a test could get at it or the bytecode does not show that it stays), or `kept: reason`.
 */
public class Escapes {
    static final Logger LOG = Logger.getLogger("escapes");
    static final org.apache.logging.log4j.Logger THROWING = new org.apache.logging.log4j.Logger() {
        public <T extends Throwable> T throwing(T t) {
            return t;
        }
    };
    static int zero;
    static Throwable last;
    static Event lastEvent;
    final List<Event> events = new ArrayList<>();
    Observer observer = new Observer() {
        public void happened(Event event) {}
    };
    Throwable failure;
    Listener listener = new Listener() {
        public void failed(Throwable t) {}
    };

    interface Listener {
        void failed(Throwable t);
    }

    interface Observer {
        void happened(Event event);
    }

    static class Event {
        private Throwable error;

        void setError(Throwable error) {
            this.error = error;
        }

        Throwable getError() {
            return error;
        }

        Event self() {
            return this;
        }
    }

    static class Registered extends Event {
        Registered() {
            lastEvent = this;
        }
    }

    static class Closing implements AutoCloseable {
        public void close() {}
    }

    static class Wrapper extends Exception {
        private final Throwable inner;

        Wrapper(Throwable inner) {
            this.inner = inner;
        }

        public Throwable getCause() {
            return inner;
        }
    }

    static int div(int by) {
        return 1 / by; //@ top
    }

    public static void main(String[] args) throws Exception {
        // A case that ends the VM prints nothing.
        PrintStream out = System.out;
        System.setOut(System.err);
        LOG.setLevel(Level.OFF);
        for (String name : args) {
            out.println(name + " " + (leaves(Escapes.class.getDeclaredMethod(name)) ? "leaves" : "stays"));
        }
    }

    static boolean leaves(java.lang.reflect.Method method) throws Exception {
        try {
            method.invoke(new Escapes());
            return false;
        } catch (InvocationTargetException e) {
            Throwable cause = e.getCause();
            while (cause != null && !(cause instanceof ArithmeticException)) {
                cause = cause.getCause();
            }
            return cause != null;
        }
    }

    void plain() {
        div(zero); //= leaves
    }

    void swallowed() {
        try {
            div(zero); //= kept: catches RuntimeException at line +1 and drops it
        } catch (RuntimeException e) {
            zero = 0;
        }
    }

    void printed() {
        try {
            div(zero); //= kept: catches Exception at line +1 and only logs it
        } catch (Exception e) {
            e.printStackTrace();
        }
    }

    void logged() {
        try {
            div(zero); //= kept: catches Throwable at line +1 and only logs it
        } catch (Throwable e) {
            LOG.log(Level.SEVERE, "failed: " + e.getMessage(), e);
        }
    }

    void loggedAndThrown() {
        try {
            div(zero); //= leaves
        } catch (RuntimeException e) {
            throw THROWING.throwing(e);
        }
    }

    void ended() {
        try {
            div(zero); //= kept: catches Throwable at line +1 and ends the VM
        } catch (Throwable e) {
            System.exit(1);
        }
    }

    void endedBeforeItIsThrown() {
        try {
            div(zero); //= kept: catches RuntimeException at line +1, logs it and ends the VM
        } catch (RuntimeException e) {
            System.err.println(e);
            Runtime.getRuntime().halt(2);
            throw e;
        }
    }

    void endedInFinally() {
        try {
            div(zero); //= kept: catches everything at line +2 and ends the VM
        } finally {
            System.exit(0);
        }
    }

    void ofAnotherKind() {
        try {
            div(zero); //= leaves
        } catch (IllegalStateException e) {
            zero = 0;
        }
    }

    void cleanedUp() {
        try {
            div(zero); //= leaves
        } finally {
            zero = 0;
        }
    }

    void returnedInFinally() {
        try {
            div(zero); //= kept: catches everything at line +2 and drops it
        } finally {
            return;
        }
    }

    void rethrown() {
        try {
            div(zero); //= leaves
        } catch (RuntimeException e) {
            LOG.log(Level.SEVERE, "failed", e);
            throw e;
        }
    }

    void wrapped() {
        try {
            div(zero); //= leaves
        } catch (RuntimeException e) {
            throw new IllegalStateException("failed", e);
        }
    }

    void wrappedByHand() throws Wrapper {
        try {
            div(zero); //= leaves
        } catch (RuntimeException e) {
            throw new Wrapper(e);
        }
    }

    void wrappedLater() {
        RuntimeException other;
        try {
            div(zero); //= leaves
            return;
        } catch (RuntimeException e) {
            other = new IllegalStateException("failed");
            other.initCause(e);
        }
        throw other;
    }

    void wrappedAndCaught() {
        try {
            try {
                div(zero); //= kept: catches IllegalStateException at line +4 and drops it
            } catch (ArithmeticException e) {
                throw new IllegalStateException(e);
            }
        } catch (IllegalStateException e) {
            zero = 0;
        }
    }

    void replaced() {
        try {
            div(zero); //= kept: catches RuntimeException at line +1 and throws another exception without it
        } catch (RuntimeException e) {
            throw new IllegalStateException(e.getMessage());
        }
    }

    void conditionally() {
        try {
            div(zero); //= leaves
        } catch (RuntimeException e) {
            if (zero == 0) {
                throw e;
            }
        }
    }

    void rethrowsOthers() {
        try {
            div(zero); //= kept: catches Throwable at line +1 and drops it
        } catch (Throwable e) {
            if (e instanceof Error) {
                throw (Error) e;
            }
            if (!(e instanceof RuntimeException)) {
                throw new IllegalStateException(e);
            }
        }
    }

    void rethrowsThese() {
        try {
            div(zero); //= leaves
        } catch (Throwable e) {
            if (e instanceof RuntimeException) {
                throw (RuntimeException) e;
            }
        }
    }

    void sneaky() {
        try {
            div(zero); //= leaves
        } catch (RuntimeException e) {
            Escapes.<RuntimeException>sneak(e);
        }
    }

    private static <T extends Throwable> void sneak(Throwable e) throws T {
        throw (T) e;
    }

    void resource() {
        try (Closing closing = new Closing()) {
            div(zero); //= leaves
        }
    }

    void resourceInside() {
        try (Closing closing = new Closing()) {
            div(zero); //= kept: catches ArithmeticException at line +1 and drops it
        } catch (ArithmeticException e) {
            zero = 0;
        }
    }

    synchronized void locked() {
        synchronized (this) {
            div(zero); //= leaves
        }
    }

    void looping() {
        int by = zero;
        while (true) {
            try {
                div(by++); //= kept: catches RuntimeException at line +2 and only logs it
                return;
            } catch (RuntimeException e) {
                System.out.println("again after " + e);
            }
        }
    }

    void keptForLater() {
        RuntimeException first = null;
        for (int i = 0; i < 2; i++) {
            try {
                div(zero); //= leaves
            } catch (RuntimeException e) {
                if (first == null) {
                    first = e;
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }

    void inField() {
        try {
            div(zero); //= open
        } catch (RuntimeException e) {
            failure = e;
        }
    }

    void inStatic() {
        try {
            div(zero); //= open
        } catch (RuntimeException e) {
            last = e;
        }
    }

    Throwable returned() {
        try {
            div(zero); //= open
            return null;
        } catch (RuntimeException e) {
            return e;
        }
    }

    Event returnedInside() {
        Event event = new Event();
        try {
            div(zero); //= open
        } catch (RuntimeException e) {
            Event failed = new Event();
            failed.setError(e);
            return failed;
        }
        return event;
    }

    void collected() {
        List<Throwable> all = new ArrayList<>();
        try {
            div(zero); //= open
        } catch (RuntimeException e) {
            all.add(e);
        }
    }

    void told() {
        try {
            div(zero); //= open
        } catch (RuntimeException e) {
            listener.failed(e);
        }
    }

    void toldInside() {
        try {
            div(zero); //= open
        } catch (RuntimeException e) {
            Event event = new Event();
            event.setError(e);
            observer.happened(event);
        }
    }

    void filledAfterItWasTold() {
        try {
            div(zero); //= open
        } catch (RuntimeException e) {
            Event event = new Event();
            observer.happened(event);
            event.setError(e);
        }
    }

    void filledAfterItWasPublished() {
        try {
            div(zero); //= open
        } catch (RuntimeException e) {
            Event event = new Event();
            lastEvent = event;
            event.setError(e);
        }
    }

    void filledAfterItPublishedItself() {
        try {
            div(zero); //= open
        } catch (RuntimeException e) {
            Event event = new Registered();
            event.setError(e);
        }
    }

    void filledAfterItWasCollected() {
        List<Event> all = events;
        try {
            div(zero); //= open
        } catch (RuntimeException e) {
            Event event = new Event();
            all.add(event);
            event.setError(e);
        }
    }

    void filledByItsAlias() {
        try {
            div(zero); //= open
        } catch (RuntimeException e) {
            Event event = new Event();
            Event same = event.self();
            event.setError(e);
            observer.happened(same);
        }
    }

    void filledAndDropped() {
        try {
            div(zero); //= kept: catches RuntimeException at line +1 and only logs it
        } catch (RuntimeException e) {
            Event event = new Event();
            event.setError(e);
            System.err.println(event.getError());
        }
    }

    void toHook() {
        try {
            div(zero); //= open
        } catch (RuntimeException e) {
            onFailure(e);
        }
    }

    protected void onFailure(Throwable e) {}

    void toLambda() {
        try {
            div(zero); //= open
        } catch (RuntimeException e) {
            Consumer<String> later = text -> System.out.println(text + e);
            later.accept("");
        }
    }

    void toHelper() {
        try {
            div(zero); //= kept: catches RuntimeException at line +1 and only logs it
        } catch (RuntimeException e) {
            report(e, 2);
        }
    }

    private static void report(Throwable e, int times) {
        for (int i = 0; i < times; i++) {
            System.err.println(e.getMessage());
            e.printStackTrace(System.err);
        }
    }

    void causeOfAnother() throws Throwable {
        try {
            div(zero); //= open
        } catch (RuntimeException e) {
            Throwable cause = new IllegalStateException(e).getCause();
            if (zero > 0) {
                throw cause;
            }
        }
    }

    void again() {
        try {
            div(zero); //= leaves
        } catch (RuntimeException e) {
            try {
                throw e;
            } finally {
                new StringReader("").close();
            }
        }
    }

    void reflected() throws Exception {
        try {
            Escapes.class.getDeclaredMethod("div", int.class).invoke(null, zero); //= leaves by reflection
        } catch (ArithmeticException e) {
            zero = 0;
        }
    }

    void reflectedAndUnwrapped() throws Throwable {
        try {
            Escapes.class.getDeclaredMethod("div", int.class).invoke(null, zero); //= leaves by reflection
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }

    void reflectedAndDropped() {
        try {
            Escapes.class.getDeclaredMethod("div", int.class).invoke(null, zero); //= kept by reflection: catches Throwable at line +1 and drops it
        } catch (Throwable e) {
            zero = 0;
        }
    }

    void madeHere() {
        try {
            throw new ArithmeticException("made"); //= kept at the top: catches ArithmeticException at line +1 and drops it
        } catch (ArithmeticException e) {
            zero = 0;
        }
    }

    void madeAndTold() {
        try {
            ArithmeticException e = new ArithmeticException("made"); //= open at the top
            listener.failed(e);
            throw e;
        } catch (ArithmeticException e) {
            zero = 0;
        }
    }
}
