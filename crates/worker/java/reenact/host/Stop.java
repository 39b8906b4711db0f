package reenact.host;

/**
 * The limits of a candidate and what happens when one is reached. The first reason counts: a candidate that swallows
 * the {@link Abort} finds its budget at zero and is aborted again at its next loop or call.
 */
public final class Stop {
    public static final int NONE = 0;
    public static final int STEPS = Abort.STEPS;
    public static final int ARRAY = Abort.ARRAY_LENGTH;
    public static final int EXIT = Abort.EXIT;
    public static final int THREADS = Abort.THREADS;
    public static final int TIME = Abort.TIME;
    public static final int RESET = Abort.RESET;

    /** Why the running candidate was stopped, and a number that goes with it: exit status, array length. */
    public static volatile int reason;
    public static volatile int detail;
    /** A class initialiser was on some stack when a candidate was stopped: that class is unusable from now on. */
    public static volatile boolean poisoned;

    /** Only candidates are stopped; the host itself may start threads. */
    static volatile boolean running;
    static int stepLimit = Integer.MAX_VALUE;
    static int arrayLimit = Integer.MAX_VALUE;
    static int threadLimit = Integer.MAX_VALUE;
    static int threads;
    static volatile int virtualThreads;
    /** The candidate is over, and threads that it has left behind are being ended. */
    static volatile boolean isEndingThreads;
    /** The candidate has asked for the default time zone or has set it. */
    static volatile boolean timeZoneUsed;
    /** The candidate has registered a bean for management. */
    static volatile boolean beansRegistered;

    private Stop() {}

    public static void limits(int steps, int arrayLength, int threads) {
        stepLimit = steps;
        arrayLimit = arrayLength;
        threadLimit = threads;
    }

    /** A candidate begins. */
    public static void begin() {
        reason = NONE;
        detail = 0;
        threads = 0;
        virtualThreads = 0;
        isEndingThreads = false;
        timeZoneUsed = false;
        beansRegistered = false;
        Probe.budget = stepLimit;
        Probe.elements = arrayLimit;
        running = true;
    }

    /** It has ended; returns the steps it took. */
    public static int end() {
        running = false;
        int left = Probe.budget;
        Probe.budget = Integer.MAX_VALUE;
        Probe.elements = Integer.MAX_VALUE;
        return reason == STEPS || left < 0 ? stepLimit : stepLimit - left;
    }

    /** Called at entry of Runtime.exit and Runtime.halt. */
    public static void exit(int status) {
        if (running) {
            raise(EXIT, status);
        }
    }

    /** Called at entry of Thread.start. */
    public static void threadStart() {
        if (isEndingThreads) {
            // Pools put a new thread in the place of each that ends.
            throw new Abort(Abort.STALE, 0);
        }
        if (running && ++threads > threadLimit) {
            raise(THREADS, threads);
        }
    }

    /** Called at entry of VirtualThread.start. */
    public static void virtualThreadStart() {
        if (running) {
            virtualThreads++;
            threadStart();
        }
    }

    /** Called where {@code TimeZone} finds out what the default is, and where that is set. */
    public static void timeZone() {
        timeZoneUsed = true;
    }

    /** Called where beans are registered for management. */
    public static void bean() {
        beansRegistered = true;
    }

    /** Called at entry of the program's finalizers. */
    public static void finalizing() {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        if (group != null && group.getParent() == null) {
            throw new Abort(Abort.STALE, 0);
        }
    }

    /** Frames that the VM tells of one stack. */
    private static final int DEEPEST = 1024;

    static void raise(int why, int number) {
        if (reason == NONE) {
            reason = why;
            detail = number;
        }
        Probe.budget = 0;
        try {
            StackTraceElement[] stack = new Throwable().getStackTrace();
            // Initialisers that throw are still counted, but of a stack this deep the rest is not to be had.
            if (isInitialising(stack) || stack.length >= DEEPEST && Statics.initialising > 0) {
                poisoned = true;
            }
        } catch (StackOverflowError e) {
            // So deep down few have begun to initialise a class.
        }
        throw new Abort(why, number);
    }

    /**
     * Whether a static initialiser is on this stack. Those of the program are counted; those of the JDK are not, but they can
     * come to a limit as well, and their classes are missed by all later candidates.
     */
    static boolean isInitialising(StackTraceElement[] stack) {
        for (StackTraceElement frame : stack) {
            if (frame.getMethodName().equals("<clinit>")) {
                return true;
            }
        }
        return false;
    }

    /** Another thread has decided that the candidate takes too long: its next loop or call ends it. */
    static void timeIsUp() {
        if (running && reason == NONE) {
            reason = TIME;
            Probe.budget = 0;
        }
    }

    static void outOfSteps() {
        if (!running) {
            Probe.budget = Integer.MAX_VALUE;
            return;
        }
        raise(reason == NONE ? STEPS : reason, detail);
    }
}
