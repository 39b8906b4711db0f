package reenact.host;

import java.nio.ByteBuffer;

/** What observes candidates besides the interpreter: the probes. */
public interface Watcher {
    /** Called on the candidate's thread just before its first statement; {@code index} counts within the batch. */
    void begin(int index);

    /** The abort that was raised since {@link #begin}, also when the program swallowed it; null if none was. */
    Abort stopped();

    /** Called after the candidate; appends what was observed. At most {@link Interpreter#RESERVE} / 2 bytes. */
    void end(ByteBuffer out);

    /** Nothing is observed. */
    Watcher NONE = new Watcher() {
        @Override
        public void begin(int index) {
        }

        @Override
        public Abort stopped() {
            return null;
        }

        @Override
        public void end(ByteBuffer out) {
        }
    };
}
