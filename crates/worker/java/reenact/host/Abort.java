package reenact.host;

/**
 * Thrown into a candidate to end it: a limit was reached, or it asked the VM to exit. Recipes cannot catch it; the
 * program can, so whoever throws it also remembers that it did (see {@link Watcher#stopped}).
 */
public final class Abort extends Error {
    public static final int STEPS = 1;
    public static final int TIME = 2;
    public static final int ARRAY_LENGTH = 3;
    public static final int EXIT = 4;
    /** The candidate is over already: only threads that it left behind see this. */
    public static final int STALE = 5;
    /** It started too many threads. */
    public static final int THREADS = 6;
    /** Initialising a class again for the next candidate did not end. */
    public static final int RESET = 7;

    public final int reason;
    /** The status given to {@code System.exit}, for {@link #EXIT}. */
    public final int status;

    public Abort(int reason, int status) {
        super(null, null, false, false);
        this.reason = reason;
        this.status = status;
    }
}
