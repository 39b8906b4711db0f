package java.lang;

import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** What spliced code calls. Nothing here may throw, wait for the program, or show in what it does. */
public final class ReenactRecorder extends ThreadLocal<ReenactRing> {
    private static final int MAGNITUDE = 3;
    private static final int EXPONENT = 4;
    private static final int EXACT = 5;
    private static final int TEXT = 6;
    private static final int HASHED = 7;
    private static final int EXACTLY = 8;
    private static final int INT = 0;
    private static final int LONG = 1;
    private static final int FLOAT = 2;
    private static final int DOUBLE = 3;
    private static final int NULL_WORD = 1;
    private static final int OBJECT_WORD = 2;
    private static final int ARRAY_WORD = 9;
    private static final int CRASH_WORD = 0x80000000 | 8 << 27;
    private static final int WORD = 0x7fffffff;
    private static final int TEXT_LIMIT = 255;
    /** Threads that go without when there was no ring for one, before the next is looked for. */
    private static final int PATIENCE = 64;

    private static final int CALLS = 1;
    private static final int RESULTS = 2;

    /** Between two exceptions that are looked at: what it takes to tell one from those that are known is then a hundredth at most. */
    private static final long PAUSE = 10_000_000;

    /** Of a word that begins an event, what tells its place. */
    private static final int ID = (1 << 27) - 1;
    /** Places where a constant may be in their table, from the one on that it should have. */
    private static final int PROBES = 64;
    /** What has no ring. */
    private static final int CONSTANTS = -1;

    private static final int OFF = 0;
    private static final int HASHES = 1;

    private static final ReenactRecorder CURRENT = new ReenactRecorder();
    private static ReenactRing[] rings = {};
    private static int redaction;
    /** Which numbers are constants of the code where they are recorded, as hashes; null if nobody knows. The library adds to it. */
    private static ByteBuffer constants;
    /** What is told: nothing, calls, or results as well. Not volatile: nobody is hurt by what is told a little longer. */
    private static int told = RESULTS;
    private static int threads;
    private static int without;
    /** When an exception was looked at last. Not volatile: at worst two are looked at. */
    private static long looked = System.nanoTime() - PAUSE;

    private ReenactRecorder() {}

    /** Called once, before anything else. */
    static void start(int count, int howRedacted) {
        redaction = howRedacted;
        ByteBuffer memory = memory(CONSTANTS);
        constants = memory == null ? null : memory.order(ByteOrder.LITTLE_ENDIAN);
        synchronized (CURRENT) {
            rings = new ReenactRing[count];
        }
    }

    /** Called when recording costs too much. */
    static void tell(int what) {
        told = what;
    }

    private static native ByteBuffer memory(int ring);

    private static native void crashed(Thread thread, Throwable thrown, int number, boolean isJustMade);

    @Override
    protected ReenactRing initialValue() {
        try {
            synchronized (CURRENT) {
                return claim(Thread.currentThread());
            }
        } catch (Throwable ignored) {
            return null;
        }
    }

    /** A ring that nobody has had, or that of the thread that ended first; null if there is none. */
    private static ReenactRing claim(Thread thread) {
        if (without > 0) {
            without--;
            return null;
        }
        int best = -1;
        for (int i = 0; i < rings.length; i++) {
            ReenactRing ring = rings[i];
            if (ring == null) {
                best = i;
                break;
            }
            if (ring.isFree() && (best < 0 || ring.number < rings[best].number)) {
                best = i;
            }
        }
        if (best < 0) {
            without = PATIENCE;
            return null;
        }
        ByteBuffer memory = rings[best] == null ? memory(best) : rings[best].memory();
        if (memory == null) {
            return null;
        }
        memory.order(ByteOrder.LITTLE_ENDIAN);
        ReenactRing ring = new ReenactRing(memory, ++threads, thread, redaction == OFF);
        rings[best] = ring;
        return ring;
    }

    public static void crash(Thread thread, Throwable thrown) {
        try {
            ReenactRing ring = CURRENT.get();
            if (ring != null) {
                ring.put(CRASH_WORD);
            }
            crashed(thread, thrown, ring == null ? 0 : ring.number, false);
        } catch (Throwable ignored) {
            // The program has its own exception to deal with.
        }
    }

    /** An exception of a class that is looked out for, whoever will catch it; its subclass may not have come to its own constructor yet. */
    public static void made(Throwable thrown) {
        try {
            long now = System.nanoTime();
            if (now - looked < PAUSE) {
                return;
            }
            looked = now;
            ReenactRing ring = CURRENT.get();
            crashed(Thread.currentThread(), thrown, ring == null ? 0 : ring.number, true);
        } catch (Throwable ignored) {
            // As above.
        }
    }

    public static void note(int word) {
        if (told < CALLS) {
            return;
        }
        ReenactRing ring = CURRENT.get();
        if (ring != null) {
            ring.put(word);
        }
    }

    public static void result(int value, int word) {
        number(INT, value, word);
    }

    public static void result(long value, int word) {
        number(LONG, value, word);
    }

    public static void result(float value, int word) {
        int bits = Float.floatToRawIntBits(value);
        number(FLOAT, bits, bits < 0, bits >>> 23 & 0xff, word);
    }

    public static void result(double value, int word) {
        long bits = Double.doubleToRawLongBits(value);
        number(DOUBLE, bits, bits < 0, (int) (bits >>> 52) & 0x7ff, word);
    }

    public static void result(Object value, int word) {
        ReenactRing ring = ringForResults();
        if (ring == null) {
            return;
        }
        if (value == null) {
            ring.put(word, NULL_WORD);
        } else if (value instanceof String) {
            text(ring, (String) value, word);
        } else if (value.getClass().isArray()) {
            ring.put(word, ARRAY_WORD, Array.getLength(value));
        } else if (value instanceof Integer || value instanceof Short || value instanceof Byte) {
            result(((Number) value).intValue(), word);
        } else if (value instanceof Long) {
            result(((Long) value).longValue(), word);
        } else {
            ring.put(word, OBJECT_WORD);
        }
    }

    private static ReenactRing ringForResults() {
        return told < RESULTS ? null : CURRENT.get();
    }

    private static void number(int kind, long value, int word) {
        ReenactRing ring = ringForResults();
        if (ring == null) {
            return;
        }
        if (redaction == OFF || isConstant(value, word)) {
            exact(ring, kind, value, word);
            return;
        }
        // The smallest number is its own negative, and right as one without a sign.
        int bits = 64 - Long.numberOfLeadingZeros(value < 0 ? -value : value);
        ring.put(word, MAGNITUDE | (kind | (value < 0 ? 4 : 0) | bits << 3) << 8);
    }

    private static void number(int kind, long value, boolean isNegative, int exponent, int word) {
        ReenactRing ring = ringForResults();
        if (ring == null) {
            return;
        }
        if (redaction == OFF) {
            exact(ring, kind, value, word);
            return;
        }
        ring.put(word, EXPONENT | (kind | (isNegative ? 4 : 0) | exponent << 3) << 8);
    }

    /** Hashes as in `constants.rs`. */
    private static boolean isConstant(long value, int word) {
        ByteBuffer known = constants;
        if (known == null) {
            return false;
        }
        long hash = (value * 0x9e3779b97f4a7c15L + (word & ID)) * 0xbf58476d1ce4e5b9L;
        hash ^= hash >>> 32;
        int mask = known.capacity() / 8 - 1;
        for (int i = 0; i < PROBES; i++) {
            long there = known.getLong(((int) hash + i & mask) << 3);
            if (there == hash) {
                return true;
            }
            if (there == 0) {
                return false;
            }
        }
        return false;
    }

    private static void exact(ReenactRing ring, int kind, long value, int word) {
        int first = EXACT | (kind | (int) (value >>> 62) << 2) << 8;
        ring.put(word, first, (int) value & WORD, (int) (value >>> 31) & WORD);
    }

    private static void text(ReenactRing ring, String text, int word) {
        int length = text.length();
        if (redaction == OFF) {
            int kept = Math.min(length, TEXT_LIMIT);
            ring.put(word, EXACTLY | kept << 8, length, text, kept);
        } else if (redaction == HASHES) {
            int hash = text.hashCode();
            ring.put(word, HASHED | hash >>> 31 << 8, length, hash & WORD);
        } else {
            int same = ring.sameAs(text);
            ring.put(word, TEXT | same << 8, length);
        }
    }
}
