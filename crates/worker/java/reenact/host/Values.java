package reenact.host;

import java.nio.ByteBuffer;

/**
 * Values recorded at particular places. A probe puts its values one by one into numbered slots, then says which probe
 * it was. Of each probe the first and the last {@value #KEPT} visits are kept.
 */
public final class Values {
    /** The splicer's {@code ValueProbe::MAX_READS}. */
    private static final int SLOTS = 16;
    private static final int KEPT = 16;

    /** What a slot holds, as written to Rust. */
    private static final byte INT = 0;
    private static final byte LONG = 1;
    private static final byte FLOAT = 2;
    private static final byte DOUBLE = 3;
    private static final byte NULL = 4;
    private static final byte OBJECT = 5;
    private static final byte ARRAY = 6;

    private static final byte[] kinds = new byte[SLOTS];
    private static final long[] bits = new long[SLOTS];
    private static final Class<?>[] types = new Class<?>[SLOTS];
    private static int filled;

    private static Log[] logs = new Log[0];
    private static int[] reached = new int[16];
    private static int reachedCount;

    private Values() {}

    public static void put(int value, int slot) {
        set(slot, INT, value, null);
    }

    public static void put(long value, int slot) {
        set(slot, LONG, value, null);
    }

    public static void put(float value, int slot) {
        set(slot, FLOAT, Float.floatToRawIntBits(value), null);
    }

    public static void put(double value, int slot) {
        set(slot, DOUBLE, Double.doubleToRawLongBits(value), null);
    }

    /** Of an object its class is recorded; of an array its length, too; of a string its length. */
    public static void put(Object value, int slot) {
        if (value == null) {
            set(slot, NULL, 0, null);
        } else if (value.getClass().isArray()) {
            set(slot, ARRAY, java.lang.reflect.Array.getLength(value), value.getClass());
        } else {
            set(slot, OBJECT, value instanceof String ? ((String) value).length() : -1, value.getClass());
        }
    }

    private static void set(int slot, byte kind, long value, Class<?> type) {
        kinds[slot] = kind;
        bits[slot] = value;
        types[slot] = type;
        filled = slot + 1;
    }

    /** All values of this probe are there. */
    public static void done(int id) {
        if (Probe.muted) {
            filled = 0;
            return;
        }
        if (id >= logs.length) {
            logs = java.util.Arrays.copyOf(logs, Math.max(64, 2 * id));
        }
        Log log = logs[id];
        if (log == null) {
            log = new Log(filled);
            logs[id] = log;
        }
        if (log.visits == 0) {
            if (reachedCount == reached.length) {
                reached = java.util.Arrays.copyOf(reached, 2 * reachedCount);
            }
            reached[reachedCount++] = id;
        }
        log.add();
        filled = 0;
    }

    /**
     * Writes what was recorded and forgets it: number of probes, then for each its id, number of visits, number of
     * values per visit and the kept visits in order: a byte for the kind, eight for the bits, and for objects and
     * arrays the class as text.
     */
    public static void drain(ByteBuffer out) {
        out.putInt(reachedCount);
        for (int k = 0; k < reachedCount; k++) {
            Log log = logs[reached[k]];
            out.putInt(reached[k]).putInt(log.visits).putInt(log.width);
            log.write(out);
        }
        forget();
    }

    /** An upper bound for what {@link #drain} writes now. */
    public static int drainSize() {
        int size = 4;
        for (int k = 0; k < reachedCount; k++) {
            size += 12 + logs[reached[k]].size();
        }
        return size;
    }

    public static void forget() {
        for (int k = 0; k < reachedCount; k++) {
            logs[reached[k]].clear();
        }
        reachedCount = 0;
        filled = 0;
    }

    /** The visits of one probe. */
    private static final class Log {
        final int width;
        final byte[] kinds;
        final long[] bits;
        final Class<?>[] types;
        int visits;

        Log(int width) {
            this.width = width;
            kinds = new byte[2 * KEPT * width];
            bits = new long[2 * KEPT * width];
            types = new Class<?>[2 * KEPT * width];
        }

        void add() {
            int row = visits < KEPT ? visits : KEPT + (visits - KEPT) % KEPT;
            System.arraycopy(Values.kinds, 0, kinds, row * width, width);
            System.arraycopy(Values.bits, 0, bits, row * width, width);
            System.arraycopy(Values.types, 0, types, row * width, width);
            visits++;
        }

        int kept() {
            return Math.min(visits, 2 * KEPT);
        }

        /** Row of the k-th kept visit: the later half is a ring. */
        int row(int k) {
            return k < KEPT || visits <= 2 * KEPT ? k : KEPT + (visits - KEPT + k - KEPT) % KEPT;
        }

        int size() {
            int size = 4 + 9 * kept() * width;
            for (int k = 0; k < kept() * width; k++) {
                size += types[k] == null ? 0 : 2 + 3 * types[k].getName().length();
            }
            return size;
        }

        void write(ByteBuffer out) {
            out.putInt(kept());
            for (int k = 0; k < kept(); k++) {
                for (int at = row(k) * width; at < (row(k) + 1) * width; at++) {
                    out.put(kinds[at]).putLong(bits[at]);
                    if (types[at] != null) {
                        Text.put(out, types[at].getName());
                    }
                }
            }
        }

        void clear() {
            java.util.Arrays.fill(types, null);
            visits = 0;
        }
    }
}
