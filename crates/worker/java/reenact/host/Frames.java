package reenact.host;

/**
 * Stack frames of this worker, numbered, and a stack reduced to what a plain test would have shown: the frames of the
 * interpreter and of the JDK's method handles below it are cut off at the bottom, and where the program called back
 * into a recipe, one frame stands for the test.
 */
final class Frames {
    private static final byte PROGRAM = 0;
    /** A frame of a class that we emitted: the test's own. */
    private static final byte TEST = 1;
    private static final byte HOST = 2;
    /** The host's frame that starts a candidate or a thread of it. */
    private static final byte ROOT = 3;
    /** What the JDK puts between a method handle and its target. */
    private static final byte GLUE = 4;
    /** {@code Class.forName}, which is glue above {@link Linker#initialise} only. */
    private static final byte FOR_NAME = 5;
    private static final byte INITIALISE = 6;
    /** What spliced code calls, and what loads classes: no frame of a plain test. */
    private static final byte HIDDEN = 7;

    /** The name of the methods below which a stack is the host's business and no longer the test's. */
    private static final String ROOT_METHOD = "root";

    // The table: open addressing over (class, method, line).
    private int[] buckets = new int[1 << 12];
    private StackTraceElement[] elements = new StackTraceElement[1 << 10];
    private byte[] kinds = new byte[1 << 10];
    private int[] wireIds = new int[1 << 10];
    private int size;
    private int written;

    private final Backtraces backtraces = new Backtraces();

    // The stack read last.
    private int[] raw = new int[64];
    private int[] kept = new int[64];

    /** Reads a stack from what the VM has noted in an exception. Returns how many frames are left of it; -1 if some are new. */
    int read(Object noted) {
        int end = backtraces.find(noted, raw);
        return end < 0 ? -1 : reduce(bottom(end));
    }

    /** Reads a stack and returns how many frames are left of it. What the VM has noted about it may be null. */
    int read(StackTraceElement[] stack, Object noted) {
        int end = stack.length;
        if (raw.length < end) {
            raw = new int[2 * end];
            kept = new int[2 * end];
        }
        for (int i = 0; i < end; i++) {
            raw[i] = intern(stack[i]);
        }
        if (noted != null) {
            backtraces.remember(noted, raw, end);
        }
        return reduce(bottom(end));
    }

    int wireId(int i) {
        int id = wireIds[kept[i]];
        return id < 0 ? written : id;
    }

    int written() {
        return written;
    }

    void markWritten(int i) {
        wireIds[kept[i]] = written++;
    }

    StackTraceElement element(int i) {
        return elements[kept[i]];
    }

    boolean isTest(int i) {
        return kinds[kept[i]] != PROGRAM && kinds[kept[i]] != GLUE && kinds[kept[i]] != FOR_NAME;
    }

    /** Where the frames end that are above the test: the run of our frames that holds the root is cut off. */
    private int bottom(int end) {
        int root = 0;
        while (root < end && kinds[raw[root]] != ROOT) {
            root++;
        }
        if (root == end) {
            return end;
        }
        while (root > 0 && isOurs(kinds[raw[root - 1]])) {
            root--;
        }
        return aboveGlue(root);
    }

    /** The index of the first frame of the glue that ends just above {@code ours}. */
    private int aboveGlue(int ours) {
        int i = ours;
        boolean isInitialiser = kinds[raw[ours]] == INITIALISE;
        while (i > 0 && (kinds[raw[i - 1]] == GLUE || isInitialiser && kinds[raw[i - 1]] == FOR_NAME)) {
            i--;
        }
        return i;
    }

    private int reduce(int end) {
        int count = 0;
        int i = 0;
        while (i < end) {
            if (kinds[raw[i]] == HIDDEN) {
                i++;
                continue;
            }
            if (!isOurs(kinds[raw[i]])) {
                kept[count++] = raw[i++];
                continue;
            }
            count -= i - aboveGlue(i);
            int shown = raw[i];
            for (; i < end && isOurs(kinds[raw[i]]); i++) {
                if (kinds[raw[i]] == TEST) {
                    shown = raw[i];
                }
            }
            kept[count++] = shown;
        }
        return count;
    }

    private static boolean isOurs(byte kind) {
        return kind == TEST || kind == HOST || kind == ROOT || kind == INITIALISE;
    }

    private int intern(StackTraceElement e) {
        String type = e.getClassName();
        String method = e.getMethodName();
        int line = e.getLineNumber();
        int mask = buckets.length - 1;
        int hash = (type.hashCode() * 31 + method.hashCode()) * 31 + line;
        for (int b = (hash ^ hash >>> 15) & mask;; b = b + 1 & mask) {
            int id = buckets[b] - 1;
            if (id < 0) {
                buckets[b] = add(e, type, method) + 1;
                if (2 * size > buckets.length) {
                    rehash();
                }
                return size - 1;
            }
            StackTraceElement known = elements[id];
            if (known.getLineNumber() == line && known.getMethodName().equals(method) && known.getClassName().equals(type)) {
                return id;
            }
        }
    }

    private int add(StackTraceElement e, String type, String method) {
        if (size == elements.length) {
            elements = java.util.Arrays.copyOf(elements, 2 * size);
            kinds = java.util.Arrays.copyOf(kinds, 2 * size);
            wireIds = java.util.Arrays.copyOf(wireIds, 2 * size);
        }
        elements[size] = e;
        kinds[size] = kind(type, method);
        wireIds[size] = -1;
        return size++;
    }

    private void rehash() {
        int[] larger = new int[2 * buckets.length];
        int mask = larger.length - 1;
        for (int id = 0; id < size; id++) {
            StackTraceElement e = elements[id];
            int hash = (e.getClassName().hashCode() * 31 + e.getMethodName().hashCode()) * 31 + e.getLineNumber();
            int b = (hash ^ hash >>> 15) & mask;
            while (larger[b] != 0) {
                b = b + 1 & mask;
            }
            larger[b] = id + 1;
        }
        buckets = larger;
    }

    private static boolean isHidden(String type) {
        return type.equals("Probe") || type.equals("Values") || type.equals("Hints") || type.equals("Stop")
                || type.equals("FreshLoader") || type.startsWith("Statics");
    }

    private static byte kind(String type, String method) {
        if (type.startsWith("reenact.host.")) {
            if (isHidden(type.substring("reenact.host.".length()))) {
                return HIDDEN;
            }
            return method.equals(ROOT_METHOD) ? ROOT : method.equals("initialise") ? INITIALISE : HOST;
        }
        if (type.startsWith("$Invoke$", type.lastIndexOf('.') + 1)) {
            return HOST;
        }
        if (type.startsWith("reenact.user.") || type.contains("$Reenact$")) {
            return TEST;
        }
        if (type.startsWith("java.lang.invoke.") || type.startsWith("sun.invoke.util.")) {
            return GLUE;
        }
        return type.equals("java.lang.Class") && method.startsWith("forName") ? FOR_NAME : PROGRAM;
    }
}
