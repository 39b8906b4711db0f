package reenact.host;

import java.lang.reflect.Array;

/** Array accesses by plain instructions, so that they throw what a test's own accesses throw. */
final class Arrays {
    private Arrays() {
    }

    static Object create(Class<?> component, int length) {
        if (length < 0) {
            // The VM's own exception, whose message JDK 8 does not have.
            return new int[length];
        }
        return Array.newInstance(component, length);
    }

    static Object get(Object array, int index) {
        requirePresent(array);
        if (array instanceof Object[]) {
            return ((Object[]) array)[index];
        } else if (array instanceof int[]) {
            return ((int[]) array)[index];
        } else if (array instanceof byte[]) {
            return ((byte[]) array)[index];
        } else if (array instanceof char[]) {
            return ((char[]) array)[index];
        } else if (array instanceof long[]) {
            return ((long[]) array)[index];
        } else if (array instanceof boolean[]) {
            return ((boolean[]) array)[index];
        } else if (array instanceof double[]) {
            return ((double[]) array)[index];
        } else if (array instanceof float[]) {
            return ((float[]) array)[index];
        } else {
            return ((short[]) array)[index];
        }
    }

    /** Widens as an assignment does; a null for a primitive value throws as unboxing does. */
    static Object put(Object array, int index, Object value) {
        requirePresent(array);
        if (array instanceof Object[]) {
            ((Object[]) array)[index] = value;
            return null;
        }
        requirePresent(value);
        if (array instanceof int[]) {
            ((int[]) array)[index] = Body.number(value).intValue();
        } else if (array instanceof byte[]) {
            ((byte[]) array)[index] = (Byte) value;
        } else if (array instanceof char[]) {
            ((char[]) array)[index] = (Character) value;
        } else if (array instanceof long[]) {
            ((long[]) array)[index] = Body.number(value).longValue();
        } else if (array instanceof boolean[]) {
            ((boolean[]) array)[index] = (Boolean) value;
        } else if (array instanceof double[]) {
            ((double[]) array)[index] = Body.number(value).doubleValue();
        } else if (array instanceof float[]) {
            ((float[]) array)[index] = Body.number(value).floatValue();
        } else {
            ((short[]) array)[index] = Body.number(value).shortValue();
        }
        return null;
    }

    /** Without the VM's message, which would speak of variables of ours. */
    private static void requirePresent(Object value) {
        if (value == null) {
            throw new NullPointerException();
        }
    }
}
