package reenact.host;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.Locale;
import java.util.TimeZone;

/** State of the VM that candidates share: noted once, put back after each. */
final class Environment {
    private final ClassLoader program;
    private final Watcher watcher;
    private final TrackedProperties properties;
    private final Locale locale;
    private final Locale display;
    private final Locale format;
    private final TimeZone zone;
    private final PrintStream sink = new PrintStream(new Sink());
    private final InputStream empty = new ByteArrayInputStream(new byte[0]);
    private final Thread.UncaughtExceptionHandler silent = new Silent();
    /** Threads that are no candidate's. */
    private final Thread[] own;
    private int threads;

    /** Takes the state as it is now for the one to go back to, but for the standard streams, which lead nowhere. */
    Environment(ClassLoader program, Watcher watcher) {
        this.program = program;
        this.watcher = watcher;
        properties = new TrackedProperties(System.getProperties());
        locale = Locale.getDefault();
        display = Locale.getDefault(Locale.Category.DISPLAY);
        format = Locale.getDefault(Locale.Category.FORMAT);
        zone = (TimeZone) TimeZone.getDefault().clone();
        restore();
        own = running();
        threads = own.length;
    }

    void restore() {
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
        if (!isOurZone()) {
            TimeZone.setDefault((TimeZone) zone.clone());
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

    /** The program may have set a time zone of its own making, which is asked for a copy here. */
    private boolean isOurZone() {
        try {
            return zone.equals(TimeZone.getDefault());
        } catch (Throwable t) {
            return false;
        }
    }

    /** How many more threads run than after the candidate before. Those about to end are given a moment, others are ended. */
    int leakedThreads() {
        int now = Thread.activeCount();
        for (int patience = 0; now > threads && patience < 12; patience++) {
            if (patience >= 2) {
                stopThreads();
            }
            try {
                Thread.sleep(1);
            } catch (InterruptedException e) {
                // The candidate interrupted itself; the flag is gone now.
            }
            now = Thread.activeCount();
        }
        int leaked = Math.max(0, now - threads);
        threads = now;
        return leaked;
    }

    /** Timers, dispatchers and the like wait for ever for work: an exception ends them. Some catch the first one. */
    private void stopThreads() {
        for (Thread thread : running()) {
            boolean isOwn = false;
            for (Thread known : own) {
                isOwn |= known == thread;
            }
            if (!isOwn) {
                watcher.stopThread(thread);
            }
        }
    }

    private static Thread[] running() {
        Thread[] found = new Thread[Thread.activeCount() + 16];
        int count = Thread.enumerate(found);
        Thread[] exact = new Thread[count];
        System.arraycopy(found, 0, exact, 0, count);
        return exact;
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
        }
    }
}
