package reenact.host;

/** Casts as Java has them. */
final class Casts {
    private Casts() {
    }

    /**
     * @param isExact to a primitive type: the value comes from a variable of some other type than a wrapper's, and must be
     *     of the wrapper's class; else it is converted
     */
    static Object cast(Class<?> to, boolean isExact, Object value) {
        if (!to.isPrimitive()) {
            if (value == null || to.isInstance(value)) {
                return value;
            }
            throw mismatch(value, to.getName());
        }
        if (value == null) {
            throw new NullPointerException();
        }
        Object converted = convert(to, value);
        if (isExact && converted.getClass() != value.getClass()) {
            throw mismatch(value, converted.getClass().getName());
        }
        return converted;
    }

    private static ClassCastException mismatch(Object value, String to) {
        return new ClassCastException(value.getClass().getName() + " cannot be cast to " + to);
    }

    private static Object convert(Class<?> to, Object value) {
        if (to == boolean.class) {
            return (Boolean) value;
        }
        if (!(value instanceof Character || value instanceof Number)) {
            throw mismatch(value, to.getName());
        }
        Number number = Body.number(value);
        if (to == int.class) {
            return number.intValue();
        } else if (to == long.class) {
            return number.longValue();
        } else if (to == char.class) {
            return (char) number.intValue();
        } else if (to == byte.class) {
            return (byte) number.intValue();
        } else if (to == short.class) {
            return (short) number.intValue();
        } else if (to == float.class) {
            return number.floatValue();
        } else {
            return number.doubleValue();
        }
    }
}
