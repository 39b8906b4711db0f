package reenact.host;

/**
 * A value that is read by way of others: a field, an element, the text of a string, whether a collection has something.
 * Fields are read through the VM, whoever may see them; of the JDK's own objects only such are asked whose exact class is
 * known. So code of the program never runs, and nothing is thrown into it.
 */
final class Derivation {
    /** Longer texts are not looked at. */
    static final int LONGEST_TEXT = 256;

    /** Where classes of the program are found. */
    static volatile ClassLoader loader;
    /** Whether each candidate has classes of its own, which nobody is to hold on to. */
    static boolean forgetsClasses;

    private final char kind;
    private final int of;
    private final int by;
    private final String owner;
    private final String name;
    private final String descriptor;
    /** The class that the field was last looked up in, and the VM's number of the field; 0 if there is none. */
    private Class<?> known;
    private long field;
    private boolean isTaken;

    private Derivation(char kind, int of, int by, String owner, String name, String descriptor) {
        this.kind = kind;
        this.of = of;
        this.by = by;
        this.owner = owner;
        this.name = name;
        this.descriptor = descriptor;
    }

    /** As {@code worker/reads.rs} writes them: one on each line, its parts with a semicolon between. */
    static Derivation[] parse(String text) {
        if (text == null || text.isEmpty()) {
            return new Derivation[0];
        }
        String[] lines = text.split("\n");
        Derivation[] all = new Derivation[lines.length];
        for (int k = 0; k < lines.length; k++) {
            all[k] = parseLine(lines[k]);
        }
        return all;
    }

    private static Derivation parseLine(String line) {
        char kind = line.charAt(0);
        if (kind == 'f' || kind == 's') {
            String[] parts = line.split(";", 5);
            return new Derivation(kind, Integer.parseInt(parts[1]), 0, parts[2], parts[3], parts[4]);
        }
        String[] parts = line.split(";");
        String text = parts.length > 3 ? fromHexadecimal(parts[3]) : "";
        return new Derivation(kind, Integer.parseInt(parts[1]), Integer.parseInt(parts[2]), null, text, null);
    }

    private static String fromHexadecimal(String digits) {
        StringBuilder text = new StringBuilder();
        for (int k = 0; k + 4 <= digits.length(); k += 4) {
            text.append((char) Integer.parseInt(digits.substring(k, k + 4), 16));
        }
        return text.toString();
    }

    void forget() {
        isTaken = false;
        if (forgetsClasses) {
            known = null;
            field = 0;
        }
    }

    /** Reads the value into the slot; nothing is in it if that cannot be done. */
    void read(int slot) {
        Values.putNothing(slot);
        switch (kind) {
            case 'i':
                Values.set(slot, Values.INT, of, null);
                break;
            case 'n':
                Values.putObject(null, slot);
                break;
            case 'q':
                Values.putObject(name, slot);
                break;
            case 'f':
                readField(slot);
                break;
            case 's':
                readStatic(slot);
                break;
            case 'e':
                readElement(slot);
                break;
            case 'g':
                takeSnapshot(slot);
                break;
            case 't':
                readText(slot);
                break;
            case 'z':
                readSize(slot);
                break;
            case 'c':
                readContains(slot);
                break;
            default:
                compute(slot);
        }
    }

    private void readField(int slot) {
        Object object = Values.objects[of];
        if (object == null) {
            return;
        }
        if (known != object.getClass()) {
            Class<?> declaring = object.getClass();
            while (declaring != null && !declaring.getName().equals(owner)) {
                declaring = declaring.getSuperclass();
            }
            field = declaring == null ? 0 : Host.field(declaring, name, descriptor);
            known = object.getClass();
        }
        if (field == 0) {
            return;
        }
        char type = descriptor.charAt(0);
        if (type == 'L' || type == '[') {
            Values.putObject(Host.fieldObject(object, field), slot);
        } else {
            putBits(type, Host.fieldBits(object, field, type), slot);
        }
    }

    /** Only of classes that the candidate has initialised: all others are as good as not there. */
    private void readStatic(int slot) {
        Class<?> declaring = known;
        if (declaring == null) {
            try {
                declaring = Class.forName(owner, false, loader);
            } catch (ClassNotFoundException | LinkageError unreadable) {
                return;
            }
            known = declaring;
        }
        int id = Host.staticsId(owner);
        if (id >= 0 && !Statics.isUsed(id)) {
            return;
        }
        if (field == 0) {
            field = Host.staticField(declaring, name, descriptor);
        }
        if (field == 0) {
            return;
        }
        char type = descriptor.charAt(0);
        if (type == 'L' || type == '[') {
            Values.putObject(Host.staticObject(declaring, field), slot);
        } else {
            putBits(type, Host.staticBits(declaring, field, type), slot);
        }
    }

    private static void putBits(char type, long bits, int slot) {
        switch (type) {
            case 'J':
                Values.set(slot, Values.LONG, bits, null);
                break;
            case 'F':
                Values.set(slot, Values.FLOAT, bits, null);
                break;
            case 'D':
                Values.set(slot, Values.DOUBLE, bits, null);
                break;
            default:
                Values.set(slot, Values.INT, bits, null);
        }
    }

    private void readElement(int slot) {
        Object array = Values.objects[of];
        if (array == null || !array.getClass().isArray() || Values.kinds[by] != Values.INT) {
            return;
        }
        int index = (int) Values.bits[by];
        if (index < 0 || index >= java.lang.reflect.Array.getLength(array)) {
            return;
        }
        if (array instanceof Object[]) {
            Values.putObject(((Object[]) array)[index], slot);
        } else if (array instanceof long[]) {
            Values.set(slot, Values.LONG, ((long[]) array)[index], null);
        } else if (array instanceof float[]) {
            Values.set(slot, Values.FLOAT, Float.floatToRawIntBits(((float[]) array)[index]), null);
        } else if (array instanceof double[]) {
            Values.set(slot, Values.DOUBLE, Double.doubleToRawLongBits(((double[]) array)[index]), null);
        } else if (array instanceof boolean[]) {
            Values.set(slot, Values.INT, ((boolean[]) array)[index] ? 1 : 0, null);
        } else if (array instanceof char[]) {
            Values.set(slot, Values.INT, ((char[]) array)[index], null);
        } else {
            Values.set(slot, Values.INT, java.lang.reflect.Array.getInt(array, index), null);
        }
    }

    /** Of everything before it, at the first visit. */
    private void takeSnapshot(int slot) {
        if (!isTaken) {
            isTaken = true;
            Snapshots.ofSlots(of, slot);
        }
    }

    private void readText(int slot) {
        Object text = Values.objects[of];
        if (text instanceof String && ((String) text).length() <= LONGEST_TEXT) {
            Values.set(slot, Values.TEXT, 0, text);
        }
    }

    private void readSize(int slot) {
        int size = Hints.size(Values.objects[of]);
        if (size >= 0) {
            Values.set(slot, Values.INT, size, null);
        }
    }

    private void readContains(int slot) {
        boolean isKnown = Values.kinds[by] == Values.NULL || Values.objects[by] != null;
        double missing = isKnown ? Hints.missing(Values.objects[of], Values.objects[by]) : -1;
        if (missing >= 0) {
            Values.set(slot, Values.DOUBLE, Double.doubleToRawLongBits(missing), null);
        }
    }

    /** Whole numbers, for the index of an element. */
    private void compute(int slot) {
        if (Values.kinds[of] != Values.INT || Values.kinds[by] != Values.INT) {
            return;
        }
        int left = (int) Values.bits[of];
        int right = (int) Values.bits[by];
        Values.set(slot, Values.INT, kind == '+' ? left + right : kind == '-' ? left - right : left * right, null);
    }
}
