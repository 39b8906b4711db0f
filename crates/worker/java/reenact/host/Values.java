package reenact.host;

import java.nio.ByteBuffer;

/**
 * Values recorded at particular places. A probe puts its values one by one into numbered slots, then says which probe
 * it was. What can only be read by way of these is read then (see {@link Derivation}). Of each probe the first and the last
 * {@value #KEPT} visits are kept.
 */
public final class Values {
    /** The splicer's {@code ValueProbe::MAX_VALUES}. */
    private static final int SLOTS = 48;
    private static final int KEPT = 16;

    /** What a slot holds, as written to Rust. */
    static final byte INT = 0;
    static final byte LONG = 1;
    static final byte FLOAT = 2;
    static final byte DOUBLE = 3;
    static final byte NULL = 4;
    private static final byte OBJECT = 5;
    private static final byte ARRAY = 6;
    static final byte TEXT = 7;
    /** What could not be read. */
    private static final byte NOTHING = 8;

    static final byte[] kinds = new byte[SLOTS];
    static final long[] bits = new long[SLOTS];
    /** The class of an object or array, or a text. */
    private static final Object[] details = new Object[SLOTS];
    /** The first slot with the same object. */
    private static final byte[] same = new byte[SLOTS];
    static final Object[] objects = new Object[SLOTS];
    private static int filled;
    /** Values are being read by way of others: the JDK methods that this calls may have probes themselves. */
    private static boolean busy;
    /** Tells what to read beyond what a probe puts into slots; none outside of workers. */
    static Plans plans;

    /** What each probe reads by way of its values. */
    interface Plans {
        /** As {@link Derivation#parse} takes it. */
        String derivations(int probe);
    }

    private static Log[] logs = new Log[0];
    private static int[] reached = new int[16];
    private static int reachedCount;

    private Values() {}

    public static void put(int value, int slot) {
        number(slot, INT, value);
    }

    public static void put(long value, int slot) {
        number(slot, LONG, value);
    }

    public static void put(float value, int slot) {
        number(slot, FLOAT, Float.floatToRawIntBits(value));
    }

    public static void put(double value, int slot) {
        number(slot, DOUBLE, Double.doubleToRawLongBits(value));
    }

    /** Of an object its class is recorded; of an array its length, too; of a string its length. */
    public static void put(Object value, int slot) {
        if (!busy) {
            putObject(value, slot);
        }
    }

    static void putObject(Object value, int slot) {
        if (value == null) {
            set(slot, NULL, 0, null);
        } else if (value.getClass().isArray()) {
            set(slot, ARRAY, java.lang.reflect.Array.getLength(value), value.getClass());
        } else {
            set(slot, OBJECT, value instanceof String ? ((String) value).length() : -1, value.getClass());
        }
        objects[slot] = value;
        // Another thread may take the slots away at any time: then it is the same as itself.
        int first = 0;
        while (first < slot && objects[first] != value) {
            first++;
        }
        same[slot] = (byte) first;
    }

    /** What the probe is to read is not there. */
    public static void none(int slot) {
        if (!busy) {
            putNothing(slot);
        }
    }

    static void putNothing(int slot) {
        set(slot, NOTHING, 0, null);
    }

    static void set(int slot, byte kind, long value, Object detail) {
        kinds[slot] = kind;
        bits[slot] = value;
        details[slot] = detail;
        objects[slot] = null;
        filled = slot + 1;
    }

    private static void number(int slot, byte kind, long value) {
        if (!busy) {
            set(slot, kind, value, null);
        }
    }

    /** All values of this probe are there. */
    public static void done(int id) {
        if (busy) {
            return;
        }
        if (!Probe.muted) {
            try {
                record(id);
            } catch (RuntimeException e) {
                // Threads that record at the same time spoil each other's records, but never the program.
            }
        }
        filled = 0;
    }

    private static void record(int id) {
        if (id >= logs.length) {
            logs = java.util.Arrays.copyOf(logs, Math.max(64, 2 * id));
        }
        Log log = logs[id];
        if (log == null) {
            log = new Log(filled, plans == null ? null : plans.derivations(id));
            logs[id] = log;
        }
        log.derive();
        if (log.visits == 0) {
            if (reachedCount == reached.length) {
                reached = java.util.Arrays.copyOf(reached, 2 * reachedCount);
            }
            reached[reachedCount++] = id;
        }
        log.add();
    }

    /** The visits of probes with smaller numbers are of no interest any more: others have taken their places. */
    static void outdated() {
        forget();
        logs = new Log[0];
    }

    /**
     * Writes what was recorded and forgets it: number of probes, then for each its id, number of visits, number of
     * values per visit and the kept visits in order: a byte for the kind, eight for the bits, for objects and arrays the
     * first of the values that is the same object and the class as text, and for texts their characters.
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
        busy = false;
        java.util.Arrays.fill(objects, null);
    }

    /** The visits of one probe. */
    private static final class Log {
        /** Values that the probe puts into slots; behind them come those that are derived. */
        final int given;
        final int width;
        final Derivation[] derivations;
        final byte[] kinds;
        final long[] bits;
        final Object[] details;
        final byte[] same;
        int visits;

        Log(int given, String derived) {
            this.given = given;
            derivations = Derivation.parse(derived);
            width = given + derivations.length;
            kinds = new byte[2 * KEPT * width];
            bits = new long[2 * KEPT * width];
            details = new Object[2 * KEPT * width];
            same = new byte[2 * KEPT * width];
        }

        void derive() {
            if (derivations.length > 0 && filled == given) {
                busy = true;
                try {
                    deriveAll();
                } finally {
                    busy = false;
                }
            }
        }

        private void deriveAll() {
            for (int k = 0; k < derivations.length; k++) {
                try {
                    derivations[k].read(given + k);
                } catch (RuntimeException unreadable) {
                    putNothing(given + k);
                }
            }
        }

        void add() {
            int row = visits < KEPT ? visits : KEPT + (visits - KEPT) % KEPT;
            System.arraycopy(Values.kinds, 0, kinds, row * width, width);
            System.arraycopy(Values.bits, 0, bits, row * width, width);
            System.arraycopy(Values.details, 0, details, row * width, width);
            System.arraycopy(Values.same, 0, same, row * width, width);
            java.util.Arrays.fill(objects, 0, width, null);
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
                if (details[k] instanceof Class) {
                    size += 3 + 3 * ((Class<?>) details[k]).getName().length();
                } else if (details[k] != null) {
                    size += 2 + 2 * ((String) details[k]).length();
                }
            }
            return size;
        }

        void write(ByteBuffer out) {
            out.putInt(kept());
            for (int k = 0; k < kept(); k++) {
                for (int at = row(k) * width; at < (row(k) + 1) * width; at++) {
                    out.put(kinds[at]).putLong(bits[at]);
                    if (details[at] instanceof Class) {
                        out.put(same[at]);
                        Text.put(out, ((Class<?>) details[at]).getName());
                    } else if (details[at] != null) {
                        putText(out, (String) details[at]);
                    }
                }
            }
        }

        private static void putText(ByteBuffer out, String text) {
            out.putShort((short) text.length());
            for (int k = 0; k < text.length(); k++) {
                out.putChar(text.charAt(k));
            }
        }

        void clear() {
            java.util.Arrays.fill(details, null);
            for (Derivation derivation : derivations) {
                derivation.forget();
            }
            visits = 0;
        }
    }
}
