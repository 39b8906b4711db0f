package reenact.host;

import java.io.File;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Runs batches of encoded recipes and answers how each ended. One per worker; the thread that calls {@link #run} is the
 * one that candidates run on.
 */
public final class Interpreter {
    /** A candidate is started only while the answer has this much room left. */
    public static final int RESERVE = 1 << 20;

    private static Linker linker;
    private static Symbols symbols;
    private static Answer answer;
    private static Watcher watcher;
    private static Environment environment;
    private static File scratch;

    // The batch that runs.
    private static Evaluator batch;
    private static int next;
    private static int count;
    /** Where the candidate behind the one that runs starts. */
    private static int nextAt;
    private static volatile Candidate running;

    private Interpreter() {
    }

    /**
     * Called once, before the first batch, on the thread that will run them.
     *
     * @param program the class loader of the program
     * @param caller a class defined in that loader with a method {@code lookup}: {@code reenact.user.Caller}
     * @param observer null if there is none
     * @param scratchDirectory where temporary files go
     */
    public static void start(ClassLoader program, Definer definer, Class<?> caller, Watcher observer, String scratchDirectory) {
        watcher = observer == null ? new Unwatched() : observer;
        linker = new Linker(program, definer, caller, watcher);
        symbols = new Symbols(linker);
        answer = new Answer(watcher);
        scratch = new File(scratchDirectory);
        environment = new Environment(program, watcher);
    }

    static Environment environment() {
        return environment;
    }

    /** Called once, after {@link #start}: {@link #renew} will be called before each candidate. */
    static void expectRenewal() {
        linker.expectRenewal();
    }

    /** Another loader with the classes of the program, and the caller in it. */
    static void renew(ClassLoader program, Class<?> caller) {
        linker.renew(program, caller);
        environment.program(program);
    }

    /** Takes a batch and runs it as far as there is room for answers; returns how many candidates were answered. */
    public static int run(byte[] encoded, ByteBuffer out) {
        take(encoded);
        return root(out);
    }

    /** Takes a batch for {@link #root} to run. */
    static void take(byte[] encoded) {
        batch = new Evaluator(encoded, 0, symbols, null);
        int format = batch.octet();
        if (format != Wire.FORMAT) {
            throw new IllegalStateException("batch of format " + format);
        }
        symbols.define(batch);
        next = 0;
        count = batch.number();
    }

    /**
     * Goes on with the batch where the last call stopped for want of room. Each frame on the stack makes every exception
     * dearer, most candidates throw one, and frames of ours tell nobody anything: so this one method holds the loops over
     * candidates and statements, and calls the program itself. {@link Frames} knows it by name.
     */
    public static int root(ByteBuffer out) {
        out.order(ByteOrder.LITTLE_ENDIAN);
        int first = next;
        while (next < count && out.remaining() >= RESERVE) {
            Candidate candidate = begin();
            Throwable thrown = null;
            try {
                int statements = batch.open();
                for (int i = 0; i < statements; i++) {
                    candidate.statement = i;
                    if (i == statements - 1) {
                        environment.settle();
                        watcher.lastStatement();
                    }
                    Member called = batch.statementOrCall();
                    if (called != null) {
                        Invoker invoker = called.invoker;
                        Object[] args = batch.callArgs;
                        batch.called(invoker != null ? invoker.call(args) : Evaluator.byHandle(called, args));
                    }
                }
                if (candidate.keepsExceptions) {
                    environment.await(candidate);
                }
                candidate.throwKept();
            } catch (Throwable t) {
                thrown = t;
                watcher.threw(t);
            }
            end(candidate, thrown, out);
            next++;
        }
        return next - first;
    }

    /** A thread of the running candidate ended with this. */
    static void uncaught(Throwable thrown) {
        Candidate candidate = running;
        if (candidate == null) {
            return;
        }
        if (thrown instanceof Unlinkable) {
            candidate.unlinkable = (Unlinkable) thrown;
        } else if (candidate.capturesThreads && !(thrown instanceof Abort)) {
            candidate.keepFromOutside(thrown);
        }
    }

    /** A cursor at the body of a method of a declared class of the running candidate. */
    static Evaluator declared(int key, int method) {
        Candidate candidate = running;
        return candidate == null ? null : candidate.declared(key, method, symbols);
    }

    private static Candidate begin() {
        int length = batch.number();
        nextAt = batch.at + length;
        Candidate candidate = new Candidate(scratch);
        running = candidate;
        batch.candidate = candidate;
        watcher.begin(next);
        return candidate;
    }

    private static void end(Candidate candidate, Throwable thrown, ByteBuffer out) {
        watcher.variables(batch.variables());
        batch.forget();
        try {
            environment.settle();
            finish(candidate, thrown);
        } catch (Throwable late) {
            // It was stopped from outside while its exception was asked for a message, or memory is used up.
            answer.forgetTables();
            finish(candidate, late instanceof OutOfMemoryError ? late : new Abort(Abort.TIME, 0));
        }
        record(out);
        batch.at = nextAt;
    }

    private static void finish(Candidate candidate, Throwable thrown) {
        answer.begin();
        ended(candidate, thrown);
        running = null;
        candidate.isOver = true;
        environment.restore();
        candidate.clean();
        answer.number(environment.leakedThreads());
    }

    private static void ended(Candidate candidate, Throwable thrown) {
        Abort stop = watcher.stopped();
        if (stop == null && thrown instanceof Abort) {
            stop = (Abort) thrown;
        }
        if (stop != null) {
            stopped(stop);
        } else if (thrown instanceof Unlinkable || candidate.unlinkable != null) {
            answer.octet(Wire.END_UNLINKABLE);
            answer.utf8((candidate.unlinkable != null ? candidate.unlinkable : thrown).getMessage(), 1 << 12);
        } else if (thrown == null) {
            answer.octet(Wire.END_COMPLETED);
        } else if (thrown instanceof OutOfMemoryError && isFromVm(thrown)) {
            answer.octet(Wire.END_OUT_OF_MEMORY);
        } else {
            answer.threw(candidate.statement, thrown);
        }
    }

    private static void stopped(Abort stop) {
        if (stop.reason == Abort.EXIT) {
            answer.octet(Wire.END_EXITED);
            answer.signed(stop.status);
        } else {
            answer.octet(Wire.END_STOPPED);
            answer.octet(stop.reason);
        }
    }

    /** The library throws this error for lengths that cannot be; the VM does when a resource is used up. */
    private static boolean isFromVm(Throwable error) {
        String message = error.getMessage();
        return message == null || message.startsWith("Java heap space") || message.startsWith("GC overhead")
                || message.startsWith("Metaspace") || message.startsWith("Compressed class space")
                || message.startsWith("unable to create") || message.contains("irect buffer memory");
    }

    private static void record(ByteBuffer out) {
        int start = out.position();
        out.putInt(0);
        out.put(answer.bytes(), 0, answer.length());
        watcher.end(out);
        out.putInt(start, out.position() - start - 4);
    }
}
