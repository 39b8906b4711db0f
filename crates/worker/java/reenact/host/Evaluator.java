package reenact.host;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.StringReader;
import java.lang.reflect.Array;
import java.nio.charset.Charset;
import java.util.Locale;
import java.util.TimeZone;

/** Carries out statements: a cursor into the batch, and the variables in reach. */
final class Evaluator extends Input {
    private static final Charset UTF_8 = Charset.forName("UTF-8");

    private final Symbols symbols;
    Candidate candidate;
    private Object[] vars;
    /** Of the call that {@link #statementOrCall} left to others: its arguments, and the variable for its result or -1. */
    Object[] callArgs;
    private int callSlot;

    Evaluator(byte[] in, int at, Symbols symbols, Candidate candidate) {
        super(in, at);
        this.symbols = symbols;
        this.candidate = candidate;
    }

    /** Enters the candidate at the cursor: its declared classes and variables. Returns how many statements it has. */
    int open() throws Throwable {
        classes();
        int size = number();
        vars = new Object[size >> 1];
        candidate.keepsExceptions = (size & 1) != 0;
        return number();
    }

    /**
     * Carries out the statement at the cursor unless it is a call. That is left to whoever asked: the member is returned,
     * its arguments are in {@link #callArgs}, and {@link #called} takes what came of it.
     */
    Member statementOrCall() throws Throwable {
        int op = octet();
        callSlot = number() - 1;
        if (op == Wire.OP_INVOKE) {
            Member member = method();
            callArgs = argsOf(member);
            return member;
        }
        called(perform(op));
        return null;
    }

    void called(Object value) {
        if (callSlot >= 0) {
            vars[callSlot] = value;
        }
    }

    Object[] variables() {
        return vars;
    }

    /** Lets go of the candidate's objects. */
    void forget() {
        vars = null;
        callArgs = null;
    }

    /** Runs a body at the cursor, with variables of its own after those of the block that it was made in. */
    Object body(Object[] captured, Object self, Object[] args) throws Throwable {
        if (candidate.isOver) {
            throw new Abort(Abort.STALE, 0);
        }
        int visible = number();
        vars = new Object[number()];
        if (visible > 0) {
            System.arraycopy(captured, 0, vars, 0, visible);
        }
        vars[visible] = self;
        System.arraycopy(args, 0, vars, visible + 1, args.length);
        try {
            block();
            return result();
        } catch (Unlinkable e) {
            candidate.unlinkable = e;
            throw e;
        }
    }

    private Object result() throws Throwable {
        switch (octet()) {
            case Wire.RESULT_DEFAULT:
                return null;
            case Wire.RESULT_VALUE:
                return arg();
            default:
                Object value = arg();
                if (value == null) {
                    throw new NullPointerException();
                }
                return value;
        }
    }

    /** Runs the block at the cursor of another one, in another thread, with the same variables. */
    void nested() throws Throwable {
        block();
    }

    private void block() throws Throwable {
        for (int left = number(); left > 0; left--) {
            statement();
        }
    }

    /** Declared classes: all are defined before any is used, because they may refer to each other. */
    private void classes() throws Throwable {
        int count = number();
        if (count == 0) {
            return;
        }
        int[] keys = new int[count];
        int[][] bodies = new int[count][];
        for (int i = 0; i < count; i++) {
            keys[i] = number();
            type();
            bodies[i] = new int[number()];
            for (int m = 0; m < bodies[i].length; m++) {
                int length = number();
                bodies[i][m] = at;
                at += length;
            }
        }
        candidate.declare(in, keys, bodies);
        for (int left = number(); left > 0; left--) {
            access(symbols.field(number()).setter());
        }
    }

    private void statement() throws Throwable {
        int op = octet();
        int slot = number() - 1;
        Object value = op == Wire.OP_INVOKE ? invoke(method()) : perform(op);
        if (slot >= 0) {
            vars[slot] = value;
        }
    }

    private Object perform(int op) throws Throwable {
        switch (op) {
            case Wire.OP_VALUE:
                return arg();
            case Wire.OP_GET_FIELD:
                return access(symbols.field(number()).getter());
            case Wire.OP_PUT_FIELD:
                return access(symbols.field(number()).setter());
            case Wire.OP_NEW_ARRAY:
                return Arrays.create(type(), signed());
            case Wire.OP_ARRAY_OF:
                return arrayOf();
            case Wire.OP_PUT_ELEMENT:
                return Arrays.put(arg(), signed(), arg());
            case Wire.OP_GET_ELEMENT:
                return Arrays.get(arg(), signed());
            case Wire.OP_COLLECTION:
                return Collections.create(octet(), args(number()));
            case Wire.OP_CAST:
                return Casts.cast(type(), octet() != 0, arg());
            case Wire.OP_THROW:
                throw (Throwable) arg();
            case Wire.OP_CAPTURE:
                candidate.capturesThreads = true;
                return null;
            case Wire.OP_KEEP:
                candidate.keepFromOutside((Throwable) arg());
                return null;
            case Wire.OP_LINK: {
                File link = new File(candidate.directory(), "link");
                java.nio.file.Files.createSymbolicLink(link.toPath(), ((File) arg()).toPath());
                return link;
            }
            case Wire.OP_CHANGE_FILE:
                return change(octet(), (File) arg());
            case Wire.OP_CALLBACK:
                return callback();
            case Wire.OP_TRY:
                return attempt();
            case Wire.OP_THREAD:
                return thread();
            case Wire.OP_REPEAT:
                return repeat();
            case Wire.OP_TOGETHER:
                return together();
            case Wire.OP_TEMP_FILE: {
                File file = new File(candidate.directory(), symbols.text(number()));
                Candidate.write(file, content());
                return file;
            }
            case Wire.OP_TEMP_DIR:
                return directory();
            case Wire.OP_STREAM:
                return stream(octet());
            case Wire.OP_SET_PROPERTY:
                return property(symbols.text(number()));
            case Wire.OP_SET_LOCALE:
                Locale.setDefault(Locale.forLanguageTag(symbols.string(number())));
                return null;
            case Wire.OP_SET_TIME_ZONE:
                TimeZone.setDefault(TimeZone.getTimeZone(symbols.string(number())));
                return null;
            case Wire.OP_REFUSE:
                throw new Unlinkable(utf8());
            default:
                throw new IllegalStateException("operation " + op);
        }
    }

    private Member method() {
        Member member = symbols.method(number());
        if (!member.isLinked) {
            member.link();
        }
        return member;
    }

    private Object invoke(Member member) throws Throwable {
        Object[] args = argsOf(member);
        Invoker invoker = member.invoker;
        return invoker != null ? invoker.call(args) : byHandle(member, args);
    }

    /** Reads or writes a field; the class of a static one is used by that. */
    private Object access(Member field) throws Throwable {
        Object[] args = argsOf(field);
        if (field.statics >= 0) {
            field.use();
        }
        return byHandle(field, args);
    }

    private Object[] argsOf(Member member) throws Throwable {
        Object[] args = args(member.arity);
        for (long left = member.required; left != 0; left &= left - 1) {
            if (args[Long.numberOfTrailingZeros(left)] == null) {
                throw new NullPointerException();
            }
        }
        return args;
    }

    /** Calls a member that has no invoker. */
    static Object byHandle(Member member, Object[] args) throws Throwable {
        if (member.uninitialised != null) {
            Linker.initialise(member);
        }
        return (Object) member.handle.invokeExact(args);
    }

    private Class<?> type() {
        return symbols.type(number()).get();
    }

    private Object[] args(int count) throws Throwable {
        Object[] args = new Object[count];
        for (int i = 0; i < count; i++) {
            args[i] = arg();
        }
        return args;
    }

    private Object arg() throws Throwable {
        int tag = octet();
        if (tag >= Wire.ARG_SMALL_VAR) {
            return vars[tag - Wire.ARG_SMALL_VAR];
        }
        switch (tag) {
            case Wire.ARG_NULL:
                return null;
            case Wire.ARG_FALSE:
                return Boolean.FALSE;
            case Wire.ARG_TRUE:
                return Boolean.TRUE;
            case Wire.ARG_BYTE:
                return Byte.valueOf((byte) octet());
            case Wire.ARG_CHAR:
                return Character.valueOf((char) number());
            case Wire.ARG_SHORT:
                return Short.valueOf((short) signed());
            case Wire.ARG_INT:
                return Integer.valueOf(signed());
            case Wire.ARG_LONG:
                return Long.valueOf(int64());
            case Wire.ARG_FLOAT:
                return Float.valueOf(Float.intBitsToFloat(int32()));
            case Wire.ARG_DOUBLE:
                return Double.valueOf(Double.longBitsToDouble(int64()));
            case Wire.ARG_TEXT:
                return symbols.text(number());
            case Wire.ARG_CLASS:
                return type();
            case Wire.ARG_FIELD:
                return access(symbols.field(number()).getter());
            case Wire.ARG_VAR:
                return vars[number()];
            default:
                throw new IllegalStateException("argument " + tag);
        }
    }

    private Object arrayOf() throws Throwable {
        Class<?> component = type();
        int length = number();
        Object array = Array.newInstance(component, length);
        for (int i = 0; i < length; i++) {
            Arrays.put(array, i, arg());
        }
        return array;
    }

    /** Reads past the bodies, which are read again when they are called, and makes the object. */
    private Object callback() throws Throwable {
        int[] starts = new int[number()];
        for (int i = 0; i < starts.length; i++) {
            int length = number();
            starts[i] = at;
            at += length;
        }
        Member constructor = method();
        Object[] args = new Object[constructor.arity];
        args[0] = new Body(in, symbols, candidate, starts, vars);
        for (int i = 1; i < args.length; i++) {
            args[i] = arg();
        }
        return constructor.invoker != null ? constructor.invoker.call(args) : byHandle(constructor, args);
    }

    private Object attempt() throws Throwable {
        boolean isKept = octet() == Wire.ON_THROW_RETHROW_AT_END;
        int length = number();
        int end = at + length;
        try {
            block();
        } catch (Abort e) {
            throw e;
        } catch (Unlinkable e) {
            throw e;
        } catch (Throwable t) {
            if (isKept) {
                candidate.keep(t);
            }
        }
        at = end;
        return null;
    }

    private Object thread() throws Throwable {
        int length = number();
        int end = at + length;
        SecondThread.runAndWait(inner());
        at = end;
        return null;
    }

    private Object together() throws Throwable {
        Evaluator[] bodies = new Evaluator[number()];
        for (int i = 0; i < bodies.length; i++) {
            int length = number();
            bodies[i] = inner();
            at += length;
        }
        Together.runAndWait(bodies);
        return null;
    }

    /** Another cursor where this one is, over the same variables. */
    private Evaluator inner() {
        Evaluator inner = new Evaluator(in, at, symbols, candidate);
        inner.vars = vars;
        return inner;
    }

    /** Each turn has variables of its own: callbacks made in one keep those. */
    private Object repeat() throws Throwable {
        int times = number();
        int slot = number() - 1;
        Object carried = slot < 0 ? null : arg();
        int length = number();
        int start = at;
        Evaluator turn = inner();
        for (int left = times; left > 0; left--) {
            if (candidate.isOver) {
                throw new Abort(Abort.STALE, 0);
            }
            Probe.step();
            turn.at = start;
            turn.vars = vars.clone();
            if (slot >= 0) {
                turn.vars[slot] = carried;
            }
            turn.block();
            if (slot >= 0) {
                carried = turn.arg();
            }
        }
        at = start + length;
        return carried;
    }

    private byte[] content() {
        return octet() == Wire.CONTENT_TEXT ? symbols.text(number()).getBytes(UTF_8) : bytes();
    }

    private Object directory() throws Throwable {
        File directory = candidate.directory();
        for (int left = number(); left > 0; left--) {
            Candidate.write(new File(directory, symbols.text(number())), content());
        }
        return directory;
    }

    private static Object change(int how, File file) {
        switch (how) {
            case Wire.CHANGE_DENY_READ:
                return file.setReadable(false);
            case Wire.CHANGE_DENY_WRITE:
                return file.setWritable(false);
            default:
                return file.delete();
        }
    }

    private Object stream(int kind) {
        switch (kind) {
            case Wire.STREAM_BYTES:
                return new ByteArrayInputStream(content());
            case Wire.STREAM_READER:
                return new StringReader(symbols.text(number()));
            default:
                return new BufferedReader(new StringReader(symbols.text(number())));
        }
    }

    private Object property(String key) {
        if (octet() == 0) {
            System.clearProperty(key);
        } else {
            System.setProperty(key, symbols.text(number()));
        }
        return null;
    }
}
