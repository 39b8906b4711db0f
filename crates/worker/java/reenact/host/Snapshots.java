package reenact.host;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * Graphs of objects, as they are when they are asked for: classes, fields, elements and texts, within limits. Nothing of the
 * program runs: fields are read through the VM.
 */
final class Snapshots {
    /** Kinds of values; those of {@link Values} up to the last but these. */
    private static final byte OBJECT = 5;
    private static final byte CUT = 9;
    /** Forms of objects. */
    private static final byte FIELDS = 0;
    private static final byte ELEMENTS = 1;
    private static final byte TEXT = 2;

    private static final int MOST_UNITS = 256;
    /** What a single object may take at most: more elements and fields than so many are cut. */
    private static final int MOST_PARTS = 64;

    private static int depth;
    private static int nodes;
    private static int bytes;
    /** Whether the variables of recipes are wanted when these have ended. */
    static boolean ofVariables;

    private static final List<byte[]> taken = new ArrayList<byte[]>();
    private static final List<Integer> numbers = new ArrayList<Integer>();
    private static int size;
    private static final IdentityHashMap<Class<?>, Field[]> FIELDS_OF = new IdentityHashMap<Class<?>, Field[]>();

    private Snapshots() {}

    static void limits(int mostDepth, int mostNodes, int mostBytes, boolean wantsVariables) {
        depth = mostDepth;
        nodes = mostNodes;
        bytes = mostBytes;
        ofVariables = wantsVariables;
    }

    static void forget() {
        taken.clear();
        numbers.clear();
        size = 0;
        if (Derivation.forgetsClasses) {
            FIELDS_OF.clear();
        }
    }

    /** The graph from the first so many slots of {@link Values}. */
    static void ofSlots(int number, int slots) {
        Graph graph = new Graph();
        graph.out.putShort((short) slots);
        for (int slot = 0; slot < slots; slot++) {
            if (Values.objects[slot] != null) {
                graph.put(Values.objects[slot], 0);
            } else {
                graph.out.put(Values.kinds[slot]).putLong(Values.bits[slot]);
            }
        }
        keep(number, graph);
    }

    /** The graph from the variables of a recipe; boxes are told as numbers by whoever knows the types. */
    static void ofVariables(Object[] variables) {
        Graph graph = new Graph();
        int count = variables == null ? 0 : Math.min(variables.length, MOST_PARTS);
        graph.out.putShort((short) count);
        for (int k = 0; k < count; k++) {
            graph.put(variables[k], 0);
        }
        keep(-1, graph);
    }

    private static void keep(int number, Graph graph) {
        byte[] encoded = graph.finish();
        numbers.add(number);
        taken.add(encoded);
        size += 8 + encoded.length;
    }

    static int drainSize() {
        return 4 + size;
    }

    /** Number of graphs, then of each its number, its length and itself. */
    static void drain(ByteBuffer out) {
        out.putInt(taken.size());
        for (int k = 0; k < taken.size(); k++) {
            out.putInt(numbers.get(k)).putInt(taken.get(k).length).put(taken.get(k));
        }
        forget();
    }

    private static Field[] fieldsOf(Class<?> type) {
        Field[] known = FIELDS_OF.get(type);
        if (known == null) {
            List<Field> all = new ArrayList<Field>();
            for (Class<?> above = type; above != null; above = above.getSuperclass()) {
                for (Field field : above.getDeclaredFields()) {
                    if (!Modifier.isStatic(field.getModifiers())) {
                        all.add(field);
                    }
                }
            }
            known = all.toArray(new Field[0]);
            FIELDS_OF.put(type, known);
        }
        return known;
    }

    private static String descriptor(Class<?> type) {
        if (type == void.class) {
            return "V";
        }
        String array = java.lang.reflect.Array.newInstance(type, 0).getClass().getName();
        return array.substring(1).replace('.', '/');
    }

    /** One graph: roots, then objects in the order in which they were met. */
    private static final class Graph {
        ByteBuffer out = ByteBuffer.allocate(bytes + (1 << 16) + (nodes << 8)).order(ByteOrder.LITTLE_ENDIAN);
        private final IdentityHashMap<Object, Integer> numbered = new IdentityHashMap<Object, Integer>();
        private final List<Object> met = new ArrayList<Object>();
        private final List<Integer> depths = new ArrayList<Integer>();

        /** A reference: null, an object by its number, or one that is not looked at any more. */
        void put(Object value, int at) {
            if (value == null) {
                out.put(Values.NULL).putLong(0);
                return;
            }
            Integer number = numbered.get(value);
            if (number == null && (met.size() >= nodes || at > depth || out.position() > bytes)) {
                out.put(CUT).putLong(0);
                return;
            }
            if (number == null) {
                number = met.size();
                numbered.put(value, number);
                met.add(value);
                depths.add(at);
            }
            out.put(OBJECT).putLong(number);
        }

        byte[] finish() {
            int count = out.position();
            out.putInt(0);
            for (int k = 0; k < met.size(); k++) {
                object(met.get(k), depths.get(k) + 1);
            }
            out.putInt(count, met.size());
            return java.util.Arrays.copyOf(out.array(), out.position());
        }

        private void object(Object object, int at) {
            Text.put(out, object.getClass().getName());
            if (object instanceof String) {
                text((String) object);
            } else if (object.getClass().isArray()) {
                elements(object, at);
            } else {
                fields(object, at);
            }
        }

        private void text(String text) {
            int units = out.position() > bytes ? 0 : Math.min(text.length(), MOST_UNITS);
            out.put(TEXT).putInt(text.length()).putShort((short) units);
            for (int k = 0; k < units; k++) {
                out.putChar(text.charAt(k));
            }
        }

        private void elements(Object array, int at) {
            int length = java.lang.reflect.Array.getLength(array);
            int count = out.position() > bytes ? 0 : Math.min(length, MOST_PARTS);
            out.put(ELEMENTS).putInt(length).putShort((short) count);
            for (int k = 0; k < count; k++) {
                if (array instanceof Object[]) {
                    put(((Object[]) array)[k], at);
                } else {
                    box(java.lang.reflect.Array.get(array, k));
                }
            }
        }

        private void box(Object number) {
            if (number instanceof Long) {
                out.put(Values.LONG).putLong((Long) number);
            } else if (number instanceof Double) {
                out.put(Values.DOUBLE).putLong(Double.doubleToRawLongBits((Double) number));
            } else if (number instanceof Float) {
                out.put(Values.FLOAT).putLong(Float.floatToRawIntBits((Float) number));
            } else if (number instanceof Character) {
                out.put(Values.INT).putLong((Character) number);
            } else if (number instanceof Boolean) {
                out.put(Values.INT).putLong((Boolean) number ? 1 : 0);
            } else {
                out.put(Values.INT).putLong(((Number) number).intValue());
            }
        }

        private void fields(Object object, int at) {
            Field[] fields = fieldsOf(object.getClass());
            int count = out.position() > bytes ? 0 : Math.min(fields.length, MOST_PARTS);
            out.put(FIELDS).putInt(fields.length).putShort((short) count);
            for (int k = 0; k < count; k++) {
                Field field = fields[k];
                String descriptor = descriptor(field.getType());
                Text.put(out, field.getDeclaringClass().getName());
                Text.put(out, field.getName());
                Text.put(out, descriptor);
                long number = Host.field(field.getDeclaringClass(), field.getName(), descriptor);
                char type = descriptor.charAt(0);
                if (number == 0) {
                    out.put(CUT).putLong(0);
                } else if (type == 'L' || type == '[') {
                    put(Host.fieldObject(object, number), at);
                } else {
                    byte kind = type == 'J' ? Values.LONG : type == 'F' ? Values.FLOAT : type == 'D' ? Values.DOUBLE : Values.INT;
                    out.put(kind).putLong(Host.fieldBits(object, number, type));
                }
            }
        }
    }
}
