package reenact.host;

import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;

/**
 * Static state between candidates. A class that a candidate may have changed is marked stale when the candidate ends,
 * and with it every class whose initialiser used that class. A stale class is initialised again at its next use, just
 * as a fresh VM would initialise it at its first: superclass first, fields set to their default values, then a copy of
 * the static initialiser, which in turn uses other classes.
 *
 * <p>Ids are the splicer's {@code StaticsId}s. What initialisers do is not recorded as part of a candidate, because in
 * a batch they run in the first candidate only.
 */
public final class Statics {
    private static final String ZERO = "$reset$zero";
    private static final String INIT = "$reset$init";
    /** Steps that the initialiser of a class may take at least; more if the candidate may. */
    private static final int INITIALISER_STEPS = 10_000_000;

    private static final byte FRESH = 0;
    private static final byte STALE = 1;
    private static final byte RESETTING = 2;

    /** Where the classes of the program are found. */
    static volatile ClassLoader loader;
    /** Class initialisers on the stack. */
    static int initialising;
    /** Whether initialisers are recorded after all, for crashes inside them. */
    static boolean recordInitialisers;

    /** Changes with every candidate and at each end of an initialiser; an id seen under the present number needs no work. */
    private static int now = 1;
    /** What the number was when the last candidate had ended. */
    private static int firstOfCase = 1;
    private static int[] usedAt = new int[0];
    private static int[] dirtyAt = new int[0];
    private static byte[] state = new byte[0];
    private static Thread[] resettedBy = new Thread[0];
    private static boolean[] isDirty = new boolean[0];
    private static boolean[] isWritten = new boolean[0];
    private static int[] dirty = new int[16];
    private static int dirtyCount;
    /** For each class those whose initialisers used it. */
    private static int[][] dependents = new int[0][];
    private static Resetter[] resetters = new Resetter[0];
    private static int[] stack = new int[16];
    private static int[] savedBudgets = new int[16];
    private static boolean[] savedMutes = new boolean[16];
    /** Classes changed by candidates that could not be set back. */
    private static int unresettable;

    private Statics() {}

    /** A class is used in a way that would initialise it. */
    public static void use(int id) {
        if (id >= usedAt.length || usedAt[id] != now) {
            used(id);
        }
    }

    /** A static field is read whose value can be changed. */
    public static void dirty(int id) {
        if (id >= dirtyAt.length || dirtyAt[id] != now) {
            dirtied(id);
        }
    }

    /** A static field is about to be written. */
    public static void write(int id) {
        dirty(id);
        // What its own initialiser assigns is the state to go back to.
        if (Stop.running && !isWritten[id] && !isInitialising(id)) {
            isWritten[id] = true;
            keepState(id);
        }
    }

    /** What an enum or an interface holds before the first change is put back when the candidate ends. */
    private static synchronized void keepState(int id) {
        Resetter resetter = resetter(id);
        if (resetter.zero == null && resetter.hasState) {
            resetter.keep();
        }
    }

    private static boolean isInitialising(int id) {
        for (int i = 0; i < initialising && i < stack.length; i++) {
            if (stack[i] == id) {
                return true;
            }
        }
        return false;
    }

    /** A static initialiser begins. */
    public static void begin(int id) {
        if (initialising > 0 && initialising <= stack.length && stack[initialising - 1] == id) {
            // Its first instruction is also the head of a loop.
            return;
        }
        if (initialising < stack.length) {
            stack[initialising] = id;
            savedBudgets[initialising] = Probe.budget;
            savedMutes[initialising] = Probe.muted;
        }
        initialising++;
        now++;
        if (!recordInitialisers && Stop.running) {
            Probe.mute(true);
            Probe.budget = Math.max(INITIALISER_STEPS, Stop.stepLimit);
        }
    }

    /**
     * It returns. One that throws leaves the rest of the candidate unrecorded, unless another one goes on for which it ran; its
     * class is unusable anyway.
     */
    public static void end(int id) {
        if (initialising == 0) {
            return;
        }
        initialising = levelOf(id);
        now++;
        if (initialising < stack.length && Stop.running && Stop.reason == Stop.NONE) {
            Probe.mute(savedMutes[initialising]);
            Probe.budget = savedBudgets[initialising];
        }
    }

    /** How many initialisers were running when this one began. Those above it have thrown. */
    private static int levelOf(int id) {
        for (int level = Math.min(initialising, stack.length) - 1; level >= 0; level--) {
            if (stack[level] == id) {
                return level;
            }
        }
        return initialising - 1;
    }

    private static void used(int id) {
        try {
            useNow(id);
        } catch (StackOverflowError cutShort) {
            // The tables may be half written.
            Stop.poisoned = true;
            throw cutShort;
        }
    }

    private static void useNow(int id) {
        noteUse(id);
        if (!Stop.running) {
            return;
        }
        int parent = resetter(id).parent;
        if (parent >= 0) {
            used(parent);
        }
        if (state[id] != FRESH && mustReset(id)) {
            reset(id);
        }
    }

    private static synchronized void noteUse(int id) {
        makeRoom(id);
        usedAt[id] = now;
        if (initialising > 0 && initialising <= stack.length) {
            addDependent(id, stack[initialising - 1]);
        }
    }

    /**
     * Whether this thread is the one to initialise the class again. As in the VM, others wait for that, and only for that:
     * an initialiser may itself wait for threads that use other classes.
     */
    private static synchronized boolean mustReset(int id) {
        boolean wasInterrupted = false;
        try {
            while (state[id] == RESETTING && resettedBy[id] != Thread.currentThread()) {
                try {
                    Statics.class.wait();
                } catch (InterruptedException early) {
                    wasInterrupted = true;
                }
            }
        } finally {
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
        if (state[id] != STALE) {
            return false;
        }
        state[id] = RESETTING;
        resettedBy[id] = Thread.currentThread();
        return true;
    }

    private static synchronized void isReset(int id) {
        usedAt[id] = now;
        state[id] = FRESH;
        resettedBy[id] = null;
        Statics.class.notifyAll();
    }

    private static void dirtied(int id) {
        try {
            dirtyNow(id);
        } catch (StackOverflowError cutShort) {
            Stop.poisoned = true;
            throw cutShort;
        }
    }

    private static void dirtyNow(int id) {
        used(id);
        dirtyAt[id] = now;
        if (!Stop.running) {
            return;
        }
        // The field may be one of a superclass that is named through this class.
        int parent = resetter(id).parent;
        if (parent >= 0) {
            dirtied(parent);
        }
        noteDirty(id);
    }

    private static synchronized void noteDirty(int id) {
        if (!isDirty[id]) {
            isDirty[id] = true;
            if (dirtyCount == dirty.length) {
                dirty = java.util.Arrays.copyOf(dirty, 2 * dirtyCount);
            }
            dirty[dirtyCount++] = id;
        }
    }

    private static void addDependent(int id, int user) {
        if (id == user) {
            return;
        }
        int[] known = dependents[id];
        if (known != null) {
            for (int other : known) {
                if (other == user) {
                    return;
                }
            }
        }
        int[] more = known == null ? new int[1] : java.util.Arrays.copyOf(known, known.length + 1);
        more[more.length - 1] = user;
        dependents[id] = more;
    }

    private static void reset(int id) {
        Resetter resetter = resetter(id);
        if (resetter.zero == null) {
            isReset(id);
            return;
        }
        begin(id);
        try {
            resetter.run();
        } catch (Throwable failed) {
            // What an earlier candidate has left behind is not the fault of the class.
            if (!Stop.poisoned && !(failed instanceof Abort || failed instanceof VirtualMachineError)) {
                Host.initialisedOnce(id);
            }
            Stop.poisoned = true;
            Stop.raise(Stop.RESET, id);
        } finally {
            end(id);
            isReset(id);
        }
    }

    /** A candidate has ended: what it changed is stale. */
    public static synchronized void endCase() {
        while (dirtyCount > 0) {
            int id = dirty[--dirtyCount];
            isDirty[id] = false;
            makeStale(id);
            isWritten[id] = false;
        }
        initialising = 0;
        now++;
        firstOfCase = now;
    }

    /** Whether the candidate has used the class, which is as it would be in a VM of its own. */
    static boolean isUsed(int id) {
        return id < usedAt.length && usedAt[id] >= firstOfCase && state[id] == FRESH;
    }

    private static void makeStale(int id) {
        makeRoom(id);
        if (state[id] != FRESH) {
            return;
        }
        if (resetter(id).zero == null) {
            putBack(id);
        } else {
            state[id] = STALE;
        }
        int[] users = dependents[id];
        if (users != null) {
            for (int user : users) {
                makeStale(user);
            }
        }
    }

    /** May be asked for twice: as a class that was changed, and as one that uses another. */
    private static void putBack(int id) {
        Resetter resetter = resetter(id);
        if (isWritten[id] && resetter.hasState && !resetter.putBack()) {
            unresettable++;
        }
        isWritten[id] = false;
    }

    /** How often a candidate has changed a class that could not be set back. */
    public static int unresettable() {
        return unresettable;
    }

    private static Resetter resetter(int id) {
        Resetter known = resetters[id];
        return known == null ? newResetter(id) : known;
    }

    private static synchronized Resetter newResetter(int id) {
        if (resetters[id] == null) {
            resetters[id] = new Resetter(Host.staticsClass(id));
        }
        return resetters[id];
    }

    /** Called often and hardly ever with something to do: what there is to do would only be compiled with it. */
    private static void makeRoom(int id) {
        if (id >= usedAt.length) {
            grow(id);
        }
    }

    private static synchronized void grow(int id) {
        if (id < usedAt.length) {
            // Another thread was faster.
            return;
        }
        int size = usedAt.length == 0 ? 256 : usedAt.length;
        while (size <= id) {
            size <<= 1;
        }
        state = java.util.Arrays.copyOf(state, size);
        resettedBy = java.util.Arrays.copyOf(resettedBy, size);
        isDirty = java.util.Arrays.copyOf(isDirty, size);
        isWritten = java.util.Arrays.copyOf(isWritten, size);
        dependents = java.util.Arrays.copyOf(dependents, size);
        resetters = java.util.Arrays.copyOf(resetters, size);
        dirtyAt = java.util.Arrays.copyOf(dirtyAt, size);
        // Last, because its length is what others look at.
        usedAt = java.util.Arrays.copyOf(usedAt, size);
    }

    /** The two methods that initialise a class again; both null if it has none. */
    private static final class Resetter {
        private final Class<?> type;
        final Method zero;
        final Method init;
        /** The id of the nearest superclass that can be reset, or -1. */
        final int parent;
        /**
         * It is not initialised again: an enum or an interface, whose constants must stay the same objects, or a class whose
         * initialiser fails the second time.
         */
        final boolean hasState;
        /** Its fields that are not final, and what they held before the candidate wrote one of them. */
        private Field[] fields;
        private Object[] kept;

        Resetter(String className) {
            type = find(className);
            zero = method(type, ZERO);
            init = method(type, INIT);
            parent = type == null ? -1 : parentOf(type);
            hasState = type != null && zero == null;
        }

        void run() throws Throwable {
            try {
                zero.invoke(null);
                if (init != null) {
                    init.invoke(null);
                }
            } catch (InvocationTargetException thrown) {
                throw thrown.getCause();
            }
        }

        void keep() {
            try {
                if (fields == null) {
                    fields = changeable(type);
                }
                Object[] values = new Object[fields.length];
                for (int i = 0; i < fields.length; i++) {
                    values[i] = fields[i].get(null);
                }
                kept = values;
            } catch (IllegalAccessException | RuntimeException | LinkageError refused) {
                kept = null;
            }
        }

        /** Whether the fields hold again what they held before. */
        boolean putBack() {
            Object[] values = kept;
            kept = null;
            if (values == null) {
                return false;
            }
            try {
                for (int i = 0; i < fields.length; i++) {
                    fields[i].set(null, values[i]);
                }
                return true;
            } catch (IllegalAccessException | RuntimeException refused) {
                return false;
            }
        }

        private static Field[] changeable(Class<?> type) {
            Field[] all = type.getDeclaredFields();
            int count = 0;
            for (Field field : all) {
                int modifiers = field.getModifiers();
                if (Modifier.isStatic(modifiers) && !Modifier.isFinal(modifiers)) {
                    field.setAccessible(true);
                    all[count++] = field;
                }
            }
            return java.util.Arrays.copyOf(all, count);
        }

        private static Class<?> find(String name) {
            try {
                return name == null ? null : Class.forName(name, false, loader);
            } catch (ClassNotFoundException | LinkageError notOurs) {
                return null;
            }
        }

        private static Method method(Class<?> type, String name) {
            if (type == null) {
                return null;
            }
            try {
                Method method = type.getDeclaredMethod(name);
                method.setAccessible(true);
                return method;
            } catch (NoSuchMethodException | LinkageError | RuntimeException none) {
                return null;
            }
        }

        private static int parentOf(Class<?> type) {
            for (Class<?> up = type.getSuperclass(); up != null; up = up.getSuperclass()) {
                if (method(up, ZERO) != null) {
                    return Host.staticsId(up.getName());
                }
            }
            return -1;
        }
    }
}
