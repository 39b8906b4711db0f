import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/**
 * Calls methods of the library. Each line of standard input is a class, a method, its descriptor and the arguments, receiver first, separated
 * by tabs; each line of output is the result or the exception, and then what has become of the arguments.
 */
public class Calls {
    public static void main(String[] args) throws Exception {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        StringBuilder output = new StringBuilder();
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            output.append(answer(line.split("\t"))).append('\n');
        }
        System.out.print(output);
    }

    private static String answer(String[] words) throws Exception {
        Object[] values = new Object[words.length - 3];
        for (int i = 0; i < values.length; i++) {
            values[i] = read(words[i + 3]);
        }
        StringBuilder line = new StringBuilder();
        try {
            line.append(call(words[0], words[1], words[2], values));
        } catch (InvocationTargetException e) {
            line.append('!').append(e.getCause().getClass().getName());
        } catch (IllegalArgumentException e) {
            line.append('!').append(thrownInside(e).getClass().getName());
        }
        for (Object value : values) {
            line.append('\t').append(show(value));
        }
        return line.toString();
    }

    /**
     * What the method itself threw. JDK 25 tells a bad argument from an exception of the method by the stack, and once the call is compiled it
     * mistakes some of the latter for the former. All arguments here fit.
     */
    private static Throwable thrownInside(IllegalArgumentException e) {
        if (e.getCause() instanceof NullPointerException || e.getCause() instanceof ClassCastException) {
            return e.getCause();
        }
        throw e;
    }

    private static String call(String className, String name, String descriptor, Object[] values) throws Exception {
        Class<?> owner = Class.forName(className);
        if (name.equals("<init>")) {
            for (Constructor<?> constructor : owner.getDeclaredConstructors()) {
                if (parameters(constructor.getParameterTypes()).equals(descriptor)) {
                    return show(constructor.newInstance(values));
                }
            }
        }
        for (Method method : owner.getDeclaredMethods()) {
            String own = parameters(method.getParameterTypes()).replace("V", descriptor(method.getReturnType()));
            if (method.getName().equals(name) && own.equals(descriptor)) {
                return call(method, values);
            }
        }
        throw new IllegalArgumentException(className + "." + name + descriptor);
    }

    private static String call(Method method, Object[] values) throws Exception {
        method.setAccessible(true);
        Object result;
        if (java.lang.reflect.Modifier.isStatic(method.getModifiers())) {
            result = method.invoke(null, values);
        } else if (method.getName().equals("clone")) {
            Object original = values[0];
            result = Array.newInstance(original.getClass().getComponentType(), Array.getLength(original));
            System.arraycopy(original, 0, result, 0, Array.getLength(original));
        } else {
            Object[] rest = new Object[values.length - 1];
            System.arraycopy(values, 1, rest, 0, rest.length);
            result = method.invoke(values[0], rest);
        }
        Class<?> type = method.getReturnType();
        if (type == void.class) {
            return "V";
        }
        return type.isPrimitive() ? show(result).substring(1) : show(result);
    }

    private static String parameters(Class<?>[] types) {
        StringBuilder text = new StringBuilder("(");
        for (Class<?> type : types) {
            text.append(descriptor(type));
        }
        return text.append(")V").toString();
    }

    private static String descriptor(Class<?> type) {
        if (type == void.class) {
            return "V";
        }
        String array = Array.newInstance(type, 0).getClass().getName();
        return array.substring(1).replace('.', '/');
    }

    private static Object read(String word) throws Exception {
        String rest = word.substring(1);
        switch (word.charAt(0)) {
            case 'N':
                return null;
            case '"':
                return text(rest);
            case 'b':
                return new StringBuilder(text(rest));
            case 'f':
                return new StringBuffer(text(rest));
            case 'x':
                return read(rest);
            case 'O':
                return new Object();
            case 'c':
                return type(rest);
            case '[':
                return array(rest);
            case 'F':
                return Float.intBitsToFloat((int) Long.parseLong(rest));
            case 'D':
                return Double.longBitsToDouble(Long.parseLong(rest));
            default:
                return number(word.charAt(0), Long.parseLong(rest));
        }
    }

    private static Object number(char kind, long value) {
        switch (kind) {
            case 'Z':
                return value != 0;
            case 'B':
                return (byte) value;
            case 'C':
                return (char) value;
            case 'S':
                return (short) value;
            case 'I':
                return (int) value;
            default:
                return value;
        }
    }

    private static String text(String hex) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < hex.length(); i += 4) {
            text.append((char) Integer.parseInt(hex.substring(i, i + 4), 16));
        }
        return text.toString();
    }

    private static Object array(String rest) throws Exception {
        int bar = rest.indexOf('|');
        String elements = rest.substring(bar + 1);
        String[] words = elements.isEmpty() ? new String[0] : elements.split(",");
        Object array = Array.newInstance(type(rest.substring(0, bar)), words.length);
        for (int i = 0; i < words.length; i++) {
            Array.set(array, i, read(words[i]));
        }
        return array;
    }

    private static Class<?> type(String descriptor) throws Exception {
        return Class.forName("[" + descriptor.replace('/', '.')).getComponentType();
    }

    private static String hex(CharSequence text) {
        StringBuilder hex = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            String digits = Integer.toHexString(text.charAt(i));
            hex.append("0000", digits.length(), 4).append(digits);
        }
        return hex.toString();
    }

    /** Boxes begin with an x. */
    private static String show(Object value) {
        if (value == null) {
            return "N";
        } else if (value instanceof String) {
            return "\"" + hex((String) value);
        } else if (value instanceof StringBuilder) {
            return "b" + hex((StringBuilder) value);
        } else if (value instanceof StringBuffer) {
            return "f" + hex((StringBuffer) value);
        } else if (value instanceof Class) {
            return "c" + descriptor((Class<?>) value);
        } else if (value.getClass().isArray()) {
            return showArray(value);
        } else if (value instanceof Boolean) {
            return "xZ" + ((Boolean) value ? 1 : 0);
        } else if (value instanceof Character) {
            return "xC" + (int) (Character) value;
        } else if (value instanceof Float) {
            return "xF" + Float.floatToIntBits((Float) value);
        } else if (value instanceof Double) {
            return "xD" + Double.doubleToLongBits((Double) value);
        } else if (value instanceof Number) {
            String kind = value instanceof Long ? "J" : value.getClass().getSimpleName().substring(0, 1);
            return "x" + kind + value;
        }
        return "O";
    }

    private static String showArray(Object array) {
        Class<?> component = array.getClass().getComponentType();
        StringBuilder text = new StringBuilder("[").append(descriptor(component)).append('|');
        for (int i = 0; i < Array.getLength(array); i++) {
            String element = show(Array.get(array, i));
            text.append(i == 0 ? "" : ",").append(component.isPrimitive() ? element.substring(1) : element);
        }
        return text.toString();
    }
}
