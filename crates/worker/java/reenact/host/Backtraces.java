package reenact.host;

/**
 * Frames by what the VM notes in an exception when it is made: the class, a number for the method, and the place in its
 * code, three arrays for each 32 frames. Frames that were seen before are known by that, without asking the exception for
 * its stack, which makes an object with texts of each.
 *
 * <p>How the notes look is the VM's own affair: this knows how HotSpot has made them from JDK 8 to 25, and stops looking at
 * them when they look otherwise.
 */
final class Backtraces {
    private static final int METHODS = 0;
    private static final int PLACES = 1;
    private static final int CLASSES = 2;
    /** From here on one of the slots holds the notes about the frames below, if there are more. */
    private static final int NEXT = 4;

    private boolean isUsable = true;

    // The table: open addressing over (class, method, place).
    private Class<?>[] classes = new Class<?>[1 << 11];
    private int[] methods = new int[1 << 11];
    private int[] places = new int[1 << 11];
    private int[] frames = new int[1 << 11];
    private int size;

    /**
     * Puts the numbers of the frames into the array, as {@link #remember} was told them. Returns how many there are; -1 if one
     * is not known or the array is too short.
     */
    int find(Object noted, int[] found) {
        int count = 0;
        for (Object[] part = part(noted); part != null; part = next(part)) {
            short[] ids = (short[]) part[METHODS];
            int[] at = (int[]) part[PLACES];
            Object[] types = (Object[]) part[CLASSES];
            for (int i = 0; i < types.length && types[i] != null; i++) {
                int bucket = bucket((Class<?>) types[i], ids[i], at[i]);
                if (classes[bucket] == null || count == found.length) {
                    return -1;
                }
                found[count++] = frames[bucket];
            }
        }
        return isUsable ? count : -1;
    }

    /** The frames of an exception with these notes have these numbers. */
    void remember(Object noted, int[] numbers, int count) {
        int done = 0;
        for (Object[] part = part(noted); part != null; part = next(part)) {
            short[] ids = (short[]) part[METHODS];
            int[] at = (int[]) part[PLACES];
            Object[] types = (Object[]) part[CLASSES];
            for (int i = 0; i < types.length && types[i] != null; i++) {
                if (done == count) {
                    isUsable = false;
                    return;
                }
                put((Class<?>) types[i], ids[i], at[i], numbers[done++]);
            }
        }
        isUsable &= done == count;
    }

    /** The notes, if they look as they should. */
    private Object[] part(Object noted) {
        if (isUsable && noted instanceof Object[]) {
            Object[] part = (Object[]) noted;
            if (part.length > NEXT && part[METHODS] instanceof short[] && part[PLACES] instanceof int[]
                    && part[CLASSES] instanceof Object[] && ((Object[]) part[CLASSES]).length <= ((int[]) part[PLACES]).length) {
                return part;
            }
        }
        isUsable = false;
        return null;
    }

    private static Object[] next(Object[] part) {
        for (int i = NEXT; i < part.length; i++) {
            if (part[i] instanceof Object[]) {
                Object[] next = (Object[]) part[i];
                if (next.length == part.length && next[METHODS] instanceof short[]) {
                    return next;
                }
            }
        }
        return null;
    }

    private int bucket(Class<?> type, int method, int place) {
        Class<?>[] keys = classes;
        int mask = keys.length - 1;
        int hash = (System.identityHashCode(type) * 31 + method) * 31 + (place ^ place >>> 16);
        for (int b = (hash ^ hash >>> 15) & mask;; b = b + 1 & mask) {
            if (keys[b] == null || keys[b] == type && places[b] == place && methods[b] == method) {
                return b;
            }
        }
    }

    private void put(Class<?> type, int method, int place, int frame) {
        int bucket = bucket(type, method, place);
        if (classes[bucket] != null) {
            return;
        }
        classes[bucket] = type;
        methods[bucket] = method;
        places[bucket] = place;
        frames[bucket] = frame;
        if (2 * ++size > classes.length) {
            grow();
        }
    }

    private void grow() {
        Class<?>[] oldClasses = classes;
        int[] oldMethods = methods;
        int[] oldPlaces = places;
        int[] oldFrames = frames;
        int length = 2 * classes.length;
        classes = new Class<?>[length];
        methods = new int[length];
        places = new int[length];
        frames = new int[length];
        for (int i = 0; i < oldClasses.length; i++) {
            if (oldClasses[i] != null) {
                int bucket = bucket(oldClasses[i], oldMethods[i], oldPlaces[i]);
                classes[bucket] = oldClasses[i];
                methods[bucket] = oldMethods[i];
                places[bucket] = oldPlaces[i];
                frames[bucket] = oldFrames[i];
            }
        }
    }
}
