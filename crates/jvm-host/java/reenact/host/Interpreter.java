package reenact.host;

import java.lang.invoke.MethodHandles;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Runs batches of encoded recipes and answers how each ended. One per worker; the thread that calls {@link #run} is the
 * one that candidates run on.
 */
public final class Interpreter {
    /** A candidate is started only while the answer has this much room left. */
    public static final int RESERVE = 1 << 20;

    private static Symbols symbols;
    private static Answer answer;
    private static Watcher watcher = Watcher.NONE;
    private static Evaluator batch;
    private static int next;
    private static int count;

    private Interpreter() {
    }

    /**
     * Called once, before the first batch.
     *
     * @param lookup of a class defined in the program's loader
     */
    public static void start(ClassLoader program, Definer definer, MethodHandles.Lookup lookup, Watcher observer) {
        symbols = new Symbols(new Linker(program, definer, lookup));
        answer = new Answer();
        watcher = observer == null ? Watcher.NONE : observer;
    }

    /** Takes a batch and runs it as far as there is room for answers; returns how many candidates were answered. */
    public static int run(byte[] encoded, ByteBuffer out) {
        batch = new Evaluator(encoded, 0, symbols);
        int format = batch.octet();
        if (format != Wire.FORMAT) {
            throw new IllegalStateException("batch of format " + format);
        }
        symbols.define(batch);
        next = 0;
        count = batch.number();
        return resume(out);
    }

    /** Goes on with the batch where the last call stopped for want of room. */
    public static int resume(ByteBuffer out) {
        out.order(ByteOrder.LITTLE_ENDIAN);
        int first = next;
        while (next < count && out.remaining() >= RESERVE) {
            candidate(out);
            next++;
        }
        return next - first;
    }

    private static void candidate(ByteBuffer out) {
        int length = batch.number();
        int end = batch.at + length;
        answer.clear();
        Throwable thrown = null;
        watcher.begin(next);
        try {
            batch.root();
        } catch (Throwable t) {
            thrown = t;
        }
        ended(thrown);
        int start = out.position();
        out.putInt(0);
        out.put(answer.bytes(), 0, answer.length());
        watcher.end(out);
        out.putInt(start, out.position() - start - 4);
        batch.at = end;
    }

    private static void ended(Throwable thrown) {
        if (thrown == null) {
            answer.octet(Wire.END_COMPLETED);
        } else if (thrown instanceof Unlinkable) {
            answer.octet(Wire.END_UNLINKABLE);
            answer.utf8(thrown.getMessage(), 1 << 12);
        } else {
            answer.threw(batch.statement, thrown);
        }
        answer.number(0);
    }
}
