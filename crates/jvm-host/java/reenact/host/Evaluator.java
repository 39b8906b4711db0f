package reenact.host;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.TreeSet;

/** Carries out statements: a cursor into the batch, and the variables in reach. */
final class Evaluator extends Input {
    /** The name of the methods below which a stack is the host's business and no longer the test's. */
    static final String ROOT = "root";

    private final Symbols symbols;
    private Object[] vars;
    /** The top-level statement that runs, or ran last. */
    int statement;

    Evaluator(byte[] in, int at, Symbols symbols) {
        super(in, at);
        this.symbols = symbols;
    }

    /** Runs the candidate at the cursor. */
    void root() throws Throwable {
        statement = 0;
        vars = new Object[number()];
        int count = number();
        for (statement = 0; statement < count; statement++) {
            statement();
        }
    }

    private void statement() throws Throwable {
        int op = octet();
        int slot = number() - 1;
        Object value = perform(op);
        if (slot >= 0) {
            vars[slot] = value;
        }
    }

    private Object perform(int op) throws Throwable {
        switch (op) {
            case Wire.OP_INVOKE:
                return invoke(method());
            case Wire.OP_VALUE:
                return arg();
            case Wire.OP_GET_FIELD:
                return invoke(symbols.field(number()).getter());
            case Wire.OP_PUT_FIELD:
                return invoke(symbols.field(number()).setter());
            case Wire.OP_NEW_ARRAY:
                return Array.newInstance(type(), signed());
            case Wire.OP_ARRAY_OF:
                return arrayOf();
            case Wire.OP_COLLECTION:
                return collection();
            case Wire.OP_REFUSE:
                throw new Unlinkable(utf8());
            default:
                throw new IllegalStateException("operation " + op);
        }
    }

    private Member method() {
        Member member = symbols.method(number());
        if (member.handle == null) {
            member.link();
        }
        return member;
    }

    private Object invoke(Member member) throws Throwable {
        Object[] args = new Object[member.arity];
        for (int i = 0; i < args.length; i++) {
            args[i] = arg();
        }
        if (member.hasReceiver && args[0] == null) {
            throw new NullPointerException();
        }
        if (member.uninitialised != null) {
            Linker.initialise(member);
        }
        return (Object) member.handle.invokeExact(args);
    }

    private Class<?> type() {
        return symbols.type(number()).get();
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
                return invoke(symbols.field(number()).getter());
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
        if (component.isPrimitive()) {
            for (int i = 0; i < length; i++) {
                Array.set(array, i, arg());
            }
        } else {
            Object[] elements = (Object[]) array;
            for (int i = 0; i < length; i++) {
                elements[i] = arg();
            }
        }
        return array;
    }

    private Object collection() throws Throwable {
        int kind = octet();
        int count = number();
        switch (kind) {
            case 0: {
                Object[] elements = new Object[count];
                for (int i = 0; i < count; i++) {
                    elements[i] = arg();
                }
                return Arrays.asList(elements);
            }
            case 1:
                return fill(new ArrayList<Object>(), count);
            case 2:
                return fill(new LinkedList<Object>(), count);
            case 3:
                return fill(new HashSet<Object>(), count);
            case 4:
                return fill(new LinkedHashSet<Object>(), count);
            case 5:
                return fill(new TreeSet<Object>(), count);
            case 6:
                return fill(new HashMap<Object, Object>(), count);
            case 7:
                return fill(new LinkedHashMap<Object, Object>(), count);
            case 8:
                return fill(new TreeMap<Object, Object>(), count);
            case 9:
                return fill(new Properties(), count);
            default:
                throw new IllegalStateException("collection " + kind);
        }
    }

    private Object fill(Collection<Object> collection, int count) throws Throwable {
        for (int i = 0; i < count; i++) {
            collection.add(arg());
        }
        return collection;
    }

    private Object fill(Map<Object, Object> map, int count) throws Throwable {
        for (int i = 0; i < count; i += 2) {
            Object key = arg();
            map.put(key, arg());
        }
        return map;
    }
}
