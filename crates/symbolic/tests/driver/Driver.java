import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/**
 * Calls static methods of the case classes. Each line of standard input is a class, a method and its arguments, separated by
 * spaces; each line of output is the result, or the exception with the method and line at the top of its trace.
 */
public class Driver {
    public static void main(String[] args) throws Exception {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            String[] words = line.split(" ");
            System.out.println(call(method(words[0], words[1]), words));
        }
    }

    private static Method method(String className, String name) throws Exception {
        for (Method method : Class.forName(className).getDeclaredMethods()) {
            if (method.getName().equals(name)) {
                method.setAccessible(true);
                return method;
            }
        }
        throw new IllegalArgumentException(className + "." + name);
    }

    private static String call(Method method, String[] words) throws Exception {
        Class<?>[] types = method.getParameterTypes();
        Object[] arguments = new Object[types.length];
        for (int i = 0; i < types.length; i++) {
            arguments[i] = argument(types[i], words[i + 2]);
        }
        try {
            return show(method.invoke(null, arguments));
        } catch (InvocationTargetException e) {
            Throwable thrown = e.getCause();
            StackTraceElement top = top(thrown.getStackTrace());
            return "threw " + thrown.getClass().getName() + " " + top.getMethodName() + " " + top.getLineNumber();
        }
    }

    /** The innermost frame that is not of the library. */
    private static StackTraceElement top(StackTraceElement[] trace) throws Exception {
        for (StackTraceElement element : trace) {
            if (Class.forName(element.getClassName()).getClassLoader() != null) {
                return element;
            }
        }
        return new StackTraceElement("", "nowhere", "", 0);
    }

    /** Numbers are decimal bits; arrays are lists of them in brackets. */
    private static Object argument(Class<?> type, String word) {
        if (word.equals("null")) {
            return null;
        }
        if (word.startsWith("\"")) {
            StringBuilder text = new StringBuilder();
            for (int i = 1; i < word.length(); i += 4) {
                text.append((char) Integer.parseInt(word.substring(i, i + 4), 16));
            }
            return text.toString();
        }
        if (type == Object.class && word.equals("object")) {
            return new Object();
        }
        if (type == Object.class) {
            type = int[].class;
        }
        if (type.isArray()) {
            String inner = word.substring(1, word.length() - 1);
            String[] elements = inner.isEmpty() ? new String[0] : inner.split(",");
            Object array = java.lang.reflect.Array.newInstance(type.getComponentType(), elements.length);
            for (int i = 0; i < elements.length; i++) {
                java.lang.reflect.Array.set(array, i, argument(type.getComponentType(), elements[i]));
            }
            return array;
        }
        long bits = Long.parseLong(word);
        if (type == int.class) {
            return (int) bits;
        } else if (type == long.class) {
            return bits;
        } else if (type == float.class) {
            return Float.intBitsToFloat((int) bits);
        } else if (type == double.class) {
            return Double.longBitsToDouble(bits);
        } else if (type == boolean.class) {
            return bits != 0;
        } else if (type == byte.class) {
            return (byte) bits;
        } else if (type == short.class) {
            return (short) bits;
        } else if (type == char.class) {
            return (char) bits;
        }
        throw new IllegalArgumentException(type.getName());
    }

    private static String show(Object result) {
        if (result instanceof Float) {
            return "float " + Float.floatToIntBits((Float) result);
        } else if (result instanceof Double) {
            return "double " + Double.doubleToLongBits((Double) result);
        } else if (result instanceof Character) {
            return "int " + (int) (Character) result;
        } else if (result instanceof Boolean) {
            return "int " + ((Boolean) result ? 1 : 0);
        } else if (result instanceof Long) {
            return "long " + result;
        } else if (result instanceof Number) {
            return "int " + result;
        } else if (result instanceof String) {
            StringBuilder hex = new StringBuilder("text ");
            for (char unit : ((String) result).toCharArray()) {
                hex.append(String.format("%04x", (int) unit));
            }
            return hex.toString();
        }
        return String.valueOf(result);
    }
}
