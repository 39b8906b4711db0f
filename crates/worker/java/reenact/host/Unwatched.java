package reenact.host;

import java.nio.ByteBuffer;

/** Observes nothing and stops nobody. */
final class Unwatched implements Watcher {
    @Override
    public void begin(int index) {
    }

    @Override
    public void lastStatement() {
    }

    @Override
    public Abort stopped() {
        return null;
    }

    @Override
    public void threw(Throwable thrown) {
    }

    @Override
    public void variables(Object[] variables) {
    }

    @Override
    public Object backtrace(Throwable thrown) {
        return null;
    }

    @Override
    public void end(ByteBuffer out) {
    }

    @Override
    public int staticsId(Class<?> type) {
        return -1;
    }

    @Override
    public boolean isConstant(String field, String descriptor) {
        return false;
    }

    @Override
    public boolean mayHaveThreads() {
        return true;
    }

    @Override
    public boolean mayHaveTimeZone() {
        return true;
    }

    /** Finding out takes longer than all candidates without them. */
    @Override
    public boolean mayHaveBeans() {
        return false;
    }

    @Override
    public void stopThread(Thread thread) {
    }

    @Override
    public void hangUp() {
    }
}
