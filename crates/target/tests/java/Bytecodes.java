import java.lang.reflect.Field;

/** The bytecode index of every frame of an exception, from the JVM's own record of its stack. */
class Bytecodes {
    private static final sun.misc.Unsafe UNSAFE;
    /** Where HotSpot keeps the record: the field just before the message, which reflection does not show. */
    private static final long RECORD;

    static {
        try {
            Field instance = sun.misc.Unsafe.class.getDeclaredField("theUnsafe");
            instance.setAccessible(true);
            UNSAFE = (sun.misc.Unsafe) instance.get(null);
            RECORD = UNSAFE.objectFieldOffset(Throwable.class.getDeclaredField("detailMessage")) - 4;
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Top frame first. Must be asked before `getStackTrace`, which may drop the record. */
    static String of(Throwable thrown) {
        StringBuilder text = new StringBuilder();
        // Chunks of 32 frames: methods, indices (in the upper half of each int), classes, .., the next chunk.
        Object[] chunk = (Object[]) UNSAFE.getObject(thrown, RECORD);
        while (chunk != null) {
            int[] indices = (int[]) chunk[1];
            Object[] classes = (Object[]) chunk[2];
            for (int i = 0; i < indices.length && classes[i] != null; i++) text.append(' ').append(indices[i] >>> 16);
            Object[] next = null;
            for (int i = 3; i < chunk.length; i++) {
                if (chunk[i] instanceof Object[] && ((Object[]) chunk[i]).length == chunk.length) next = (Object[]) chunk[i];
            }
            chunk = next;
        }
        return text.toString();
    }
}
