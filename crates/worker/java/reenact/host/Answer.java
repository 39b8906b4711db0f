package reenact.host;

import java.nio.charset.Charset;
import java.util.HashMap;

/**
 * Writes how a candidate ended. Names and frames are numbered per worker and spelled out the first time only, because
 * the same frames come again and again.
 */
final class Answer {
    private static final Charset UTF_8 = Charset.forName("UTF-8");
    private static final int MAX_CAUSES = 24;
    private static final int MAX_MESSAGE = 8 << 10;
    private static final int MAX_NAME = 1 << 10;
    /** Frames that would make the answer longer than this are left out. */
    private static final int MAX_LENGTH = Interpreter.RESERVE / 4;

    private byte[] out = new byte[64 << 10];
    private int at;
    private HashMap<String, Integer> names = new HashMap<String, Integer>();
    private final Watcher watcher;
    private Frames frames = new Frames();
    /** The other side does not know that the tables were emptied. */
    private boolean isForgetful;

    Answer(Watcher watcher) {
        this.watcher = watcher;
    }

    byte[] bytes() {
        return out;
    }

    int length() {
        return at;
    }

    void begin() {
        at = 0;
        if (isForgetful) {
            octet(Wire.FORGET_TABLES);
            isForgetful = false;
        }
    }

    /** After a record that was not finished: it may have numbered what the other side will never see. */
    void forgetTables() {
        names = new HashMap<String, Integer>();
        frames = new Frames();
        isForgetful = true;
    }

    void octet(int value) {
        if (at == out.length) {
            grow(1);
        }
        out[at++] = (byte) value;
    }

    void number(int value) {
        while ((value & ~0x7f) != 0) {
            octet(value & 0x7f | 0x80);
            value >>>= 7;
        }
        octet(value);
    }

    void signed(int value) {
        number(value << 1 ^ value >> 31);
    }

    void utf8(String text, int limit) {
        byte[] bytes = (text.length() <= limit ? text : text.substring(0, limit)).getBytes(UTF_8);
        number(bytes.length);
        grow(bytes.length);
        System.arraycopy(bytes, 0, out, at, bytes.length);
        at += bytes.length;
    }

    private void grow(int more) {
        if (at + more > out.length) {
            byte[] larger = new byte[Math.max(2 * out.length, at + more)];
            System.arraycopy(out, 0, larger, 0, at);
            out = larger;
        }
    }

    void threw(int stmt, Throwable thrown) {
        octet(Wire.END_THREW);
        number(stmt);
        Throwable[] seen = new Throwable[MAX_CAUSES];
        int depth = 0;
        for (Throwable t = thrown; t != null; t = cause(t, seen, depth)) {
            if (depth > 0) {
                octet(1);
            }
            seen[depth++] = t;
            thrown(t);
        }
        octet(0);
    }

    /** Null at the end of the chain, where it bites its tail, and where it is longer than anyone reads. */
    private static Throwable cause(Throwable t, Throwable[] seen, int depth) {
        Throwable cause;
        try {
            cause = t.getCause();
        } catch (Throwable e) {
            unlessTimeIsUp(e);
            return null;
        }
        for (int i = 0; i < depth; i++) {
            if (seen[i] == cause) {
                return null;
            }
        }
        return depth < MAX_CAUSES ? cause : null;
    }

    /** An exception that will not say what it is has no more to say; but the watchdog's is not to be taken for one. */
    private static void unlessTimeIsUp(Throwable thrown) {
        if (thrown instanceof Abort && ((Abort) thrown).reason == Abort.TIME) {
            throw (Abort) thrown;
        }
    }

    private void thrown(Throwable t) {
        name(t.getClass().getName());
        message(t);
        stack(t);
    }

    /** The program's own code runs here, under the candidate's budget still. */
    private void message(Throwable t) {
        String message;
        try {
            message = t.getLocalizedMessage();
        } catch (Throwable e) {
            unlessTimeIsUp(e);
            message = null;
        }
        if (message == null) {
            octet(0);
        } else {
            octet(1);
            utf8(message, MAX_MESSAGE);
        }
    }

    private void stack(Throwable t) {
        Object noted = watcher.backtrace(t);
        int count = noted == null ? -1 : frames.read(noted);
        if (count < 0) {
            count = stackTrace(t, noted);
        }
        // The count comes first, so what is left out is decided before: each frame takes at most five bytes and its names.
        int room = (MAX_LENGTH - at) / (2 * MAX_NAME + 16);
        if (count > room && at + 5 * count > MAX_LENGTH) {
            count = Math.max(0, room);
        }
        number(count);
        for (int i = 0; i < count; i++) {
            frame(i);
        }
    }

    /** What the exception itself says, which may be the program's own code. */
    private int stackTrace(Throwable t, Object noted) {
        StackTraceElement[] elements;
        try {
            elements = t.getStackTrace();
        } catch (Throwable e) {
            unlessTimeIsUp(e);
            elements = null;
        }
        return elements == null ? 0 : frames.read(elements, noted);
    }

    private void frame(int i) {
        int id = frames.wireId(i);
        boolean isNew = id == frames.written();
        number(id);
        if (isNew) {
            frames.markWritten(i);
            StackTraceElement e = frames.element(i);
            name(e.getClassName());
            name(e.getMethodName());
            number(e.getLineNumber() > 0 ? e.getLineNumber() : 0);
            octet(frames.isTest(i) ? 1 : 0);
        }
    }

    private void name(String name) {
        Integer id = names.get(name);
        if (id != null) {
            number(id);
            return;
        }
        number(names.size());
        names.put(name, names.size());
        utf8(name, MAX_NAME);
    }
}
