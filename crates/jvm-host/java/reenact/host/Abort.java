package reenact.host;

/** Ends a candidate from within. Has no stack trace: why and where is kept in {@link Stop}. */
public final class Abort extends Error {
    private static final long serialVersionUID = 1;

    public Abort() {
        super("the candidate was stopped", null, false, false);
    }
}
