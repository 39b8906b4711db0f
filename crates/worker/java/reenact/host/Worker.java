package reenact.host;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * One batch after the other, on the thread of the candidates. Batches and answers are in memory shared with the
 * coordinator, and so is which candidate runs: when this process dies, the coordinator still has the answers so far
 * and knows the culprit.
 */
final class Worker implements Watcher {
    // Offsets in the shared header; worker/shared.rs has the same.
    private static final int CASE = 8;
    private static final int OUTPUT = 12;
    private static final int NO_CASE = -1;

    private static final int ROUND = 64;

    // Flags in front of a candidate's readings; worker/handle.rs has the same.
    private static final int READINGS_LEFT_OUT = 1;
    private static final int POISONED = 2;
    private static final int UNRESETTABLE = 4;
    private static final int WAITED = 8;
    private static final int FILES_OPEN = 16;
    private static final int REFUSED = 32;

    private static ByteBuffer header;
    private static ByteBuffer input;
    private static ByteBuffer output;
    /** Written after each change of the header, so that changes are seen in order. */
    private static volatile int fence;
    /** The watchdog had to throw an exception into a candidate: no candidate may run here any more. */
    private static volatile boolean interfered;

    /** The thread that they run on. */
    private static Thread candidates;
    private static long started;
    private static int unresettable;

    private static boolean freshClasses;
    /** The loader of the program that every candidate gets one of its own like. Null if they share it. */
    private static ClassLoader original;
    /** Whether candidates that leave classes unusable are told from those that only may have. */
    private static boolean countsBroken;
    private static int broken;
    /** Whether only what the last statement of a candidate does is recorded. */
    private static boolean watchesLastOnly;
    private static boolean isLast;
    /** The candidate threw what can leave a class unusable. */
    private static boolean isSuspect;
    /** The candidate ended because it asked for more memory than the VM can ever have, which has used up none. */
    private static boolean isRefused;
    /** The candidate ended with an error of the VM or of linking. */
    private static boolean escapedGrave;

    /** Classes of exceptions, and whether they leave it to the JDK to tell their stack. */
    private static final java.util.IdentityHashMap<Class<?>, Boolean> PLAIN = new java.util.IdentityHashMap<Class<?>, Boolean>();

    private Worker() {}

    /** Called once, on the thread that will run the candidates. */
    static void start(ByteBuffer sharedHeader, ByteBuffer sharedInput, ByteBuffer sharedOutput) throws Throwable {
        header = sharedHeader.order(ByteOrder.LITTLE_ENDIAN);
        input = sharedInput;
        output = sharedOutput.order(ByteOrder.LITTLE_ENDIAN);
        ClassLoader program = ClassLoader.getSystemClassLoader();
        candidates = Thread.currentThread();
        candidates.setContextClassLoader(program);
        Statics.loader = program;
        Derivation.loader = program;
        Values.plans = new Values.Plans() {
            @Override
            public String derivations(int probe) {
                return Host.derivations(probe);
            }
        };
        Class<?> caller = Class.forName("reenact.user.Caller", true, program);
        Interpreter.start(program, new Definer() {
            @Override
            public Class<?> define(ClassLoader loader, String binaryName, byte[] classFile) {
                return Host.define(loader, binaryName == null ? null : binaryName.replace('.', '/'), classFile);
            }

            @Override
            public Invoker invoker(ClassLoader loader, byte[] classFile) {
                return Host.invoker(loader, classFile);
            }
        }, caller, new Worker(), System.getProperty("java.io.tmpdir"));
        if (freshClasses) {
            original = program;
            Interpreter.expectRenewal();
        }
        if (countsBroken) {
            broken = Host.brokenClasses(FreshLoader.class);
        }
        idle();
    }

    static void limits(int steps, int arrayLength, int threads) {
        Stop.limits(steps, arrayLength, threads);
    }

    /** Called before {@link #start}. */
    static void manner(int recordInitialisers, int classesPerCandidate, int brokenCounted, int lastStatementOnly,
            int repeatable) {
        Statics.recordInitialisers = recordInitialisers != 0;
        freshClasses = classesPerCandidate != 0;
        Derivation.forgetsClasses = freshClasses;
        countsBroken = brokenCounted != 0;
        watchesLastOnly = lastStatementOnly != 0;
        Environment.settlesThreads = repeatable != 0;
    }

    /**
     * Takes the batch of this many bytes. What was answered is in the header; a whole batch may need {@link #resume}.
     * What the watchdog throws may arrive at any later time, even when the candidate has ended. If its answer is not
     * complete by then, the header goes on to name it, and the coordinator knows why.
     */
    static void run(int length) {
        byte[] batch = new byte[length];
        input.clear();
        input.get(batch);
        output.clear();
        try {
            Interpreter.run(batch, output);
            idle();
        } catch (Interfered | Abort end) {
            fence++;
        }
    }

    /** Goes on where the last call stopped for want of room. */
    static void resume() {
        output.clear();
        try {
            Interpreter.root(output);
            idle();
        } catch (Interfered | Abort end) {
            fence++;
        }
    }

    /** What candidates show beyond what probes record; nothing if not asked for. */
    static void show(int outcomes, int depth, int nodes, int bytes, int variables) {
        Trace.limit(outcomes);
        Snapshots.limits(depth, nodes, bytes, variables != 0);
    }

    /** Classes have other probes now, with numbers of their own. */
    static void forgetReadings() {
        forgetShown();
        Values.outdated();
    }

    /** The watchdog is about to stop the candidate, by throwing what this returns. */
    static Throwable interfere() {
        interfered = true;
        Stop.timeIsUp();
        return new Abort(Abort.TIME, 0);
    }

    /** The same for a candidate that waits for what will never come, which an exception ends without harm. */
    static Throwable unblock() {
        Stop.timeIsUp();
        // With a security manager of its own, which would be asked, the worker is lost in any case.
        if (System.getSecurityManager() == null && Stop.isInitialising(candidates.getStackTrace())) {
            Stop.poisoned = true;
        }
        return new Abort(Abort.TIME, 0);
    }

    /** What further threads of the running candidate do. */
    static int othersDo() {
        return Stop.threads == 0 ? Environment.WAIT : Interpreter.environment().othersDo();
    }

    /** How many static initialisers of the program run. */
    static int isInitialising() {
        return Statics.initialising;
    }

    private static void idle() {
        header.putInt(OUTPUT, output.position());
        header.putInt(CASE, NO_CASE);
        fence++;
    }

    @Override
    public void begin(int index) {
        // Everything before this candidate is answered.
        header.putInt(OUTPUT, output.position());
        if (interfered) {
            throw new Interfered();
        }
        if (original != null) {
            renew();
        }
        isSuspect = false;
        escapedGrave = false;
        isRefused = false;
        isLast = false;
        roundHashes();
        header.putInt(CASE, index);
        fence++;
        started = System.nanoTime();
        Stop.begin();
    }

    /**
     * Identity hashes are counted by the VM ({@code -XX:hashCode=3}). Each candidate begins at a multiple of {@link #ROUND}, so
     * that hash tables of usual size have the same order in it whatever ran before. A VM that draws them is not waited for.
     */
    private static void roundHashes() {
        for (int draws = 0; draws < ROUND && System.identityHashCode(new Object()) % ROUND != 0; draws++) {
        }
    }

    /** Candidates do not see each other's classes. */
    private static void renew() {
        FreshLoader loader = new FreshLoader(original);
        Derivation.loader = loader;
        Interpreter.renew(loader, Host.defineCaller(loader));
    }

    @Override
    public void lastStatement() {
        isLast = true;
        if (watchesLastOnly) {
            forgetShown();
        }
    }

    private static void forgetShown() {
        Probe.forget();
        Values.forget();
        Trace.forget();
        Snapshots.forget();
    }

    @Override
    public void variables(Object[] variables) {
        if (Snapshots.ofVariables && Stop.reason == Stop.NONE) {
            try {
                Snapshots.ofVariables(variables);
            } catch (RuntimeException tooLarge) {
                Snapshots.forget();
            }
        }
    }

    @Override
    public void threw(Throwable thrown) {
        escapedGrave = isGrave(thrown) || isGrave(cause(thrown));
        isSuspect = countsBroken && escapedGrave;
        isRefused = thrown.getClass() == OutOfMemoryError.class && isRefusal(thrown.getMessage());
    }

    /** Programs may have exceptions that tell another stack than theirs. */
    @Override
    public Object backtrace(Throwable thrown) {
        // Notes name classes, which would keep the loaders of candidates alive.
        return original == null && hasPlainStack(thrown.getClass()) ? Host.backtrace(thrown) : null;
    }

    private static boolean hasPlainStack(Class<?> type) {
        Boolean isPlain = PLAIN.get(type);
        if (isPlain == null) {
            isPlain = Host.hasPlainStack(type);
            PLAIN.put(type, isPlain);
        }
        return isPlain;
    }

    /** Not a class that is missing, which is common and does no harm. */
    private static boolean isGrave(Throwable thrown) {
        return thrown instanceof VirtualMachineError || thrown instanceof ExceptionInInitializerError;
    }

    /**
     * Memory for direct buffers, as far as the message has the numbers: it may also be used up, by buffers that nobody uses any
     * more. Not an array that is too long: of the errors that the VM throws itself only the first few have a stack.
     */
    private static boolean isRefusal(String message) {
        String reserve = "Cannot reserve ";
        return message != null && message.startsWith(reserve) && numberAfter(message, reserve) > numberAfter(message, "limit: ");
    }

    /** The largest if there is none. */
    private static long numberAfter(String text, String label) {
        int start = text.indexOf(label) + label.length();
        int end = start;
        while (end < text.length() && Character.isDigit(text.charAt(end))) {
            end++;
        }
        return text.contains(label) && end > start && end - start < 19 ? Long.parseLong(text.substring(start, end)) : Long.MAX_VALUE;
    }

    /** As the program's own code says. */
    private static Throwable cause(Throwable thrown) {
        try {
            return thrown.getCause();
        } catch (Throwable e) {
            return e;
        }
    }

    @Override
    public Abort stopped() {
        return Stop.reason == Stop.NONE ? null : new Abort(Stop.reason, Stop.detail);
    }

    /** Steps taken, nanoseconds, flags, then the readings of the probes. */
    @Override
    public void end(ByteBuffer out) {
        int steps = Stop.end();
        long nanos = System.nanoTime() - started;
        // One that began and did not end was cut short, and its class is unusable. If it failed all by itself and the
        // program went on, as with optional libraries that are missing, then so it will the next time.
        boolean isCutShort = Statics.initialising > 0 && escapedGrave;
        Stop.poisoned |= isCutShort || isSuspect && hasBrokenClasses();
        int flags = Stop.poisoned ? POISONED : 0;
        if (isRefused) {
            flags |= REFUSED;
        }
        if (Stop.reason == Stop.TIME && !interfered) {
            flags |= WAITED;
        }
        Statics.endCase();
        Hints.forget();
        if (Host.caseEnded()) {
            flags |= FILES_OPEN;
        }
        if (Statics.unresettable() != unresettable) {
            unresettable = Statics.unresettable();
            flags |= UNRESETTABLE;
        }
        if (watchesLastOnly && !isLast) {
            forgetShown();
        }
        int size = Probe.drainSize() + Values.drainSize() + Trace.drainSize() + Snapshots.drainSize();
        boolean fits = size < Interpreter.RESERVE / 2 - 64;
        out.putInt(steps).putLong(nanos).putInt(fits ? flags : flags | READINGS_LEFT_OUT);
        if (fits) {
            Probe.drain(out);
            Values.drain(out);
            Trace.drain(out);
            Snapshots.drain(out);
        } else {
            forgetShown();
            out.putInt(0).putInt(0).putInt(0).putInt(0).putInt(0);
        }
    }

    @Override
    public int staticsId(Class<?> type) {
        return Host.staticsId(type.getName());
    }

    @Override
    public boolean isConstant(String field, String descriptor) {
        return Host.isConstant(field, descriptor);
    }

    /** All threads start through a guard. */
    @Override
    public boolean mayHaveThreads() {
        return Stop.threads > 0;
    }

    @Override
    public boolean mayHaveTimeZone() {
        return Stop.timeZoneUsed;
    }

    @Override
    public boolean mayHaveBeans() {
        return Stop.beansRegistered;
    }

    @Override
    public void stopThread(Thread thread) {
        Host.stop(thread, new Abort(Abort.STALE, 0));
    }

    @Override
    public void hangUp() {
        Host.hangUp();
    }

    private static boolean hasBrokenClasses() {
        int before = broken;
        broken = Host.brokenClasses(FreshLoader.class);
        return broken > before;
    }

    /** Ends a batch early. */
    private static final class Interfered extends Error {
        private static final long serialVersionUID = 1;

        Interfered() {
            super(null, null, false, false);
        }
    }
}
