package reenact.host;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.Locale;
import java.util.TimeZone;

/** State of the VM that candidates share: noted once, put back after each. */
final class Environment {
    private ClassLoader program;
    private final Watcher watcher;
    private final TrackedProperties properties;
    private final Locale locale;
    private final Locale display;
    private final Locale format;
    private final PrintStream sink = new PrintStream(new Sink());
    private final InputStream empty = new ByteArrayInputStream(new byte[0]);
    private final Thread.UncaughtExceptionHandler silent = new Silent();
    /** The group that candidates' threads are in unless they choose another, and the one that all are in. */
    private final ThreadGroup own = Thread.currentThread().getThreadGroup();
    private final ThreadGroup root = own.getParent() == null ? own : own.getParent();
    private Thread[] known;
    /** Others that wait for work, which a later candidate may have for them. */
    private Thread[] strangers = new Thread[0];

    /** Of threads: all wait for others, some sleep, some may go on at once. */
    static final int WAIT = 0;
    private static final int SLEEP = 1;
    private static final int WORK = 2;

    /** What threads are given to end in: nanoseconds, and how often. */
    private static final long MOMENT = 200_000;
    private static final int MOMENTS = 100;
    private static final int HANG_UP_AFTER = MOMENTS / 5;
    /** How often in a row all have to be seen idle, and how often some may be seen asleep: less than the candidate is given. */
    private static final int QUIET = 5;
    private static final int ASLEEP = 400;
    /** The same where runs have to repeat: on a busy machine, who was woken up may have to wait for a processor. */
    private static final int SETTLED = 15;
    /** Whose time to sleep is over may have to wait for a processor as well, and still looks asleep. */
    private static final int SOUND_ASLEEP = 100;
    static boolean settlesThreads;

    /** Takes the state as it is now for the one to go back to, but for the standard streams, which lead nowhere. */
    Environment(ClassLoader program, Watcher watcher) {
        this.program = program;
        this.watcher = watcher;
        properties = new TrackedProperties(System.getProperties());
        locale = Locale.getDefault();
        display = Locale.getDefault(Locale.Category.DISPLAY);
        format = Locale.getDefault(Locale.Category.FORMAT);
        restore();
        known = threads();
    }

    /** From now on this is the loader that threads of the program find. */
    void program(ClassLoader loader) {
        program = loader;
        Thread.currentThread().setContextClassLoader(loader);
    }

    void restore() {
        if (System.getSecurityManager() != null) {
            // It may not let itself be removed, and the JDK remembers that there was one.
            Stop.poisoned = true;
        }
        if (System.getProperties() != properties) {
            System.setProperties(properties);
        }
        properties.resetIfTouched();
        if (Locale.getDefault() != locale) {
            Locale.setDefault(locale);
        }
        if (Locale.getDefault(Locale.Category.DISPLAY) != display) {
            Locale.setDefault(Locale.Category.DISPLAY, display);
        }
        if (Locale.getDefault(Locale.Category.FORMAT) != format) {
            Locale.setDefault(Locale.Category.FORMAT, format);
        }
        if (watcher.mayHaveTimeZone()) {
            // As in a VM that has just started, which finds out when it is first asked.
            TimeZone.setDefault(null);
        }
        if (watcher.mayHaveBeans()) {
            Beans.forget();
        }
        if (System.out != sink) {
            System.setOut(sink);
        }
        if (System.err != sink) {
            System.setErr(sink);
        }
        if (System.in != empty) {
            System.setIn(empty);
        }
        if (Thread.getDefaultUncaughtExceptionHandler() != silent) {
            Thread.setDefaultUncaughtExceptionHandler(silent);
        }
        Thread.interrupted();
        if (Thread.currentThread().getContextClassLoader() != program) {
            Thread.currentThread().setContextClassLoader(program);
        }
    }

    /**
     * How many threads that were not there before may still do something. Those about to end are given a moment, others
     * are ended.
     */
    int leakedThreads() {
        // Asking for the threads costs as much as many a candidate. Who waits has not started any.
        if (!watcher.mayHaveThreads() && !isAnyActive(strangers)) {
            return 0;
        }
        Stop.isEndingThreads = true;
        int busy = busyThreads(0);
        for (int patience = 0; busy > 0 && patience < MOMENTS; patience++) {
            java.util.concurrent.locks.LockSupport.parkNanos(MOMENT);
            // The candidate may have left its permission to go on, or interrupted itself.
            Thread.interrupted();
            busy = busyThreads(patience);
            if (busy > 0 && patience == HANG_UP_AFTER) {
                // They have been told to end, and will see it when the kernel lets go of them.
                watcher.hangUp();
            }
        }
        if (busy > 0) {
            known = threads();
        }
        strangers = strangers();
        return busy + Stop.virtualThreads;
    }

    /**
     * Waits until something was kept, or until no thread is about to do anything. Whoever is woken up by another is not
     * seen to go on at once, so that all have to be idle a few times; who sleeps may do so for ever.
     */
    void await(Candidate candidate) {
        int idle = 0;
        for (int sleeps = 0; idle < QUIET && sleeps < ASLEEP && !candidate.hasKept();) {
            Probe.step();
            int others = watcher.mayHaveThreads() ? othersDo() : WAIT;
            idle = others == WAIT ? idle + 1 : 0;
            sleeps += others == SLEEP ? 1 : 0;
            if (watcher.mayHaveThreads()) {
                java.util.concurrent.locks.LockSupport.parkNanos(MOMENT);
            }
        }
    }

    /**
     * Where runs have to repeat: waits until the threads that the candidate has started have nothing to do, so that what they
     * have done by now does not hang on how fast they were. Who never rests is not waited for.
     */
    void settle() {
        if (!settlesThreads || !watcher.mayHaveThreads()) {
            return;
        }
        int idle = 0;
        int enough = SETTLED;
        for (int moments = 0; idle < enough && moments < ASLEEP; moments++) {
            int done = othersDo();
            idle = done == WORK ? 0 : idle + 1;
            enough = done == SLEEP ? SOUND_ASLEEP : SETTLED;
            java.util.concurrent.locks.LockSupport.parkNanos(MOMENT);
        }
    }

    /** What the threads do that were not there before. Those of the JDK that sleep have nothing to do. */
    int othersDo() {
        int done = WAIT;
        for (Thread thread : threads()) {
            if (!thread.isAlive() || isKnown(thread)) {
                continue;
            }
            if (isActive(thread)) {
                return WORK;
            }
            if (thread.getState() == Thread.State.TIMED_WAITING && own.parentOf(thread.getThreadGroup())) {
                done = SLEEP;
            }
        }
        return done;
    }

    /** The JDK starts threads of its own, for pools and for cleaning up, which then wait for work in groups of theirs. */
    private int busyThreads(int patience) {
        int busy = 0;
        for (Thread thread : threads()) {
            if (isKnown(thread) || !thread.isAlive()) {
                continue;
            }
            boolean isOwn = own.parentOf(thread.getThreadGroup());
            boolean isActive = isActive(thread);
            // One of a pool that was just started may be about to run what the candidate has left for it.
            boolean mayRun = patience < MOMENTS / 4 ? isActive : isActive && runsProgram(thread);
            if (isOwn || mayRun) {
                busy++;
                // Timers, dispatchers and the like wait for work that never comes; who works may be about to end. Some
                // catch the first exception.
                boolean isDue = isActive ? patience >= MOMENTS / 10 : patience % 4 == 0;
                if (isDue && (isOwn || runsProgram(thread))) {
                    watcher.stopThread(thread);
                }
            }
        }
        return busy;
    }

    private Thread[] strangers() {
        Thread[] found = threads();
        int count = 0;
        for (Thread thread : found) {
            if (!isKnown(thread)) {
                found[count++] = thread;
            }
        }
        return java.util.Arrays.copyOf(found, count);
    }

    private static boolean isAnyActive(Thread[] threads) {
        for (Thread thread : threads) {
            if (isActive(thread)) {
                return true;
            }
        }
        return false;
    }

    private boolean isKnown(Thread thread) {
        for (Thread other : known) {
            if (other == thread) {
                return true;
            }
        }
        return false;
    }

    private static boolean isActive(Thread thread) {
        return thread.getState() == Thread.State.RUNNABLE || thread.getState() == Thread.State.BLOCKED;
    }

    private static boolean runsProgram(Thread thread) {
        for (StackTraceElement frame : thread.getStackTrace()) {
            String type = frame.getClassName();
            if (!type.startsWith("java.") && !type.startsWith("jdk.") && !type.startsWith("sun.")) {
                return true;
            }
        }
        return false;
    }

    private Thread[] threads() {
        Thread[] found = new Thread[root.activeCount() + 16];
        return java.util.Arrays.copyOf(found, root.enumerate(found));
    }

    private static final class Sink extends OutputStream {
        @Override
        public void write(int octet) {
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
        }
    }

    private static final class Silent implements Thread.UncaughtExceptionHandler {
        @Override
        public void uncaughtException(Thread thread, Throwable thrown) {
            if (thrown instanceof VirtualMachineError) {
                Stop.poisoned = true;
            }
            Interpreter.uncaught(thrown);
        }
    }
}
