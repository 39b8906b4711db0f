package reenact.host;

import java.nio.ByteBuffer;

/** What observes candidates besides the interpreter: the probes. */
public interface Watcher {
    /** Called on the candidate's thread just before its first statement; {@code index} counts within the batch. */
    void begin(int index);

    /** Called just before the last top-level statement of a candidate. */
    void lastStatement();

    /** Called with what a candidate threw, if it did, before {@link #end}. */
    void threw(Throwable thrown);

    /** Called with the variables of a candidate when it has ended, before anything is restored. */
    void variables(Object[] variables);

    /** What the VM has noted about where an exception was made; null if that is not to be had, or not all there is to tell. */
    Object backtrace(Throwable thrown);

    /** The abort that was raised since {@link #begin}, also when the program swallowed it; null if none was. */
    Abort stopped();

    /**
     * Called after the candidate, when all is restored but what the watcher itself restores; appends what was observed, at
     * most half of {@link Interpreter#RESERVE} bytes.
     */
    void end(ByteBuffer out);

    /** The number of a class whose static state is put back after each candidate that used it; -1 if it is not. */
    int staticsId(Class<?> type);

    /** Whether who reads the static field cannot change what it holds. */
    boolean isConstant(String field, String descriptor);

    /** Whether threads may have been started since {@link #begin}. */
    boolean mayHaveThreads();

    /** Whether the default time zone may have been found out or set since {@link #begin}. */
    boolean mayHaveTimeZone();

    /** Whether beans may have been registered for management since {@link #begin}. */
    boolean mayHaveBeans();

    /** Ends a thread that a candidate has left behind, by an exception. */
    void stopThread(Thread thread);

    /** Wakes threads that wait for the network. */
    void hangUp();
}
