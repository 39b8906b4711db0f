package reenact.host;

import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A second opinion on what recipes do: reads them as words and carries them out by plain reflection, sharing nothing with
 * the interpreter. Argument: the class path of the program. One recipe per line of input, one answer per line of output.
 */
public final class Reference {
    private final ClassLoader program;
    private final ArrayDeque<String> words;

    private Reference(ClassLoader program, String line) {
        this.program = program;
        this.words = new ArrayDeque<String>(Arrays.asList(line.split(" ")));
    }

    public static void main(String[] args) throws Throwable {
        List<URL> urls = new ArrayList<URL>();
        for (String entry : args[0].split(File.pathSeparator)) {
            if (!entry.isEmpty()) {
                urls.add(new File(entry).toURI().toURL());
            }
        }
        ClassLoader program = new URLClassLoader(urls.toArray(new URL[0]), Reference.class.getClassLoader());
        Thread.currentThread().setContextClassLoader(program);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
        PrintStream out = System.out;
        PrintStream nowhere = new PrintStream(File.createTempFile("reference", null));
        System.setOut(nowhere);
        System.setErr(nowhere);
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            out.println(new Reference(program, line).answer());
        }
    }

    private String answer() {
        Node block = block();
        int at = 0;
        Frame frame = new Frame(null);
        try {
            for (; at < block.nodes.size(); at++) {
                test(block.nodes.get(at), frame);
            }
        } catch (Throwable t) {
            return "threw " + at + " " + describe(t);
        }
        return frame.kept == null ? "completed" : "threw " + frame.keptAt + " " + describe(frame.kept);
    }

    /** The frame that stands for the test. */
    private void test(Node node, Frame frame) throws Throwable {
        frame.top().at = node.index;
        perform(node, frame);
    }

    private static String describe(Throwable t) {
        StringBuilder all = new StringBuilder();
        for (Throwable c = t; c != null; c = c.getCause()) {
            String message = c.getLocalizedMessage();
            all.append(c.getClass().getName()).append(' ').append(message == null ? "-" : "=" + hex(message));
            ArrayDeque<String> frames = new ArrayDeque<String>();
            for (StackTraceElement e : c.getStackTrace()) {
                String type = e.getClassName();
                String method = e.getMethodName();
                boolean isOurs = type.startsWith("reenact.host.Reference") || type.equals("java.lang.reflect.InvocationHandler");
                if (isOurs && method.equals("test")) {
                    // Here the test starts, with the machinery above.
                    while (!frames.isEmpty() && (frames.getLast().equals("test") || frames.getLast().startsWith("java.lang.reflect.")
                            || frames.getLast().startsWith("jdk.internal.reflect.") || frames.getLast().startsWith("sun.reflect."))) {
                        frames.removeLast();
                    }
                    break;
                }
                frames.add(isOurs || type.contains("$Proxy") ? "test" : type + "#" + method + "#" + Math.max(0, e.getLineNumber()));
            }
            for (String frame : frames) {
                all.append(' ').append(frame);
            }
            all.append(" ;");
        }
        return all.toString();
    }

    private static String hex(String text) {
        StringBuilder all = new StringBuilder();
        for (char c : text.toCharArray()) {
            all.append(String.format("%04x", (int) c));
        }
        return all.toString();
    }

    private static String unhex(String text) {
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < text.length(); i += 4) {
            all.append((char) Integer.parseInt(text.substring(i, i + 4), 16));
        }
        return all.toString();
    }

    private static final class Frame {
        final Frame outer;
        final Map<String, Object> vars = new HashMap<String, Object>();
        Throwable kept;
        int keptAt;
        int at;

        Frame(Frame outer) {
            this.outer = outer;
        }

        Frame top() {
            return outer == null ? this : outer.top();
        }

        Object get(String name) {
            return vars.containsKey(name) ? vars.get(name) : outer.get(name);
        }
    }

    private static final class Node {
        String op;
        String var;
        int index;
        List<String> head = new ArrayList<String>();
        List<String> args = new ArrayList<String>();
        List<Node> nodes = new ArrayList<Node>();
    }

    /** {@code count statement*} */
    private Node block() {
        Node block = new Node();
        int count = Integer.parseInt(words.pop());
        for (int i = 0; i < count; i++) {
            Node node = statement();
            node.index = i;
            block.nodes.add(node);
        }
        return block;
    }

    /** {@code op var heads head* args arg* blocks block*} */
    private Node statement() {
        Node node = new Node();
        node.op = words.pop();
        node.var = words.pop();
        for (int left = Integer.parseInt(words.pop()); left > 0; left--) {
            node.head.add(words.pop());
        }
        for (int left = Integer.parseInt(words.pop()); left > 0; left--) {
            node.args.add(words.pop());
        }
        for (int left = Integer.parseInt(words.pop()); left > 0; left--) {
            node.nodes.add(block());
        }
        return node;
    }

    private void perform(Node node, Frame frame) throws Throwable {
        Object value = value(node, frame);
        if (!node.var.equals("-")) {
            frame.vars.put(node.var, value);
        }
    }

    private Object value(final Node node, final Frame frame) throws Throwable {
        Object[] args = new Object[node.args.size()];
        for (int i = 0; i < args.length; i++) {
            args[i] = arg(node.args.get(i), frame);
        }
        switch (node.op) {
            case "value":
                return args[0];
            case "new":
                return create(node, args);
            case "static":
            case "call":
                return call(node, args);
            case "array":
                return Array.newInstance(type(node.head.get(0)), Integer.parseInt(node.head.get(1)));
            case "arrayOf": {
                Object array = Array.newInstance(type(node.head.get(0)), args.length);
                for (int i = 0; i < args.length; i++) {
                    Array.set(array, i, args[i]);
                }
                return array;
            }
            case "load":
                return Array.get(args[0], Integer.parseInt(node.head.get(0)));
            case "store":
                Array.set(args[0], Integer.parseInt(node.head.get(0)), args[1]);
                return null;
            case "collect":
                return collect(node.head.get(0), args);
            case "cast": {
                Class<?> to = type(node.head.get(0));
                return to == byte.class ? (Object) (args[0] instanceof Character ? (byte) (char) (Character) args[0] : ((Number) args[0]).byteValue())
                        : to.cast(args[0]);
            }
            case "proxy":
                return proxy(node, frame);
            case "try":
            case "keep":
                attempt(node, frame);
                return null;
            case "thread":
                thread(node, frame);
                return null;
            case "repeat":
                return repeat(node, frame, args.length > 0 ? args[0] : null);
            default:
                throw new IllegalStateException(node.op);
        }
    }

    private Object create(Node node, Object[] args) throws Throwable {
        Constructor<?> found = type(node.head.get(0)).getDeclaredConstructor(types(node.head.get(1)));
        found.setAccessible(true);
        unbox(found.getParameterTypes(), args, 0);
        try {
            return found.newInstance(args);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private Object call(Node node, Object[] args) throws Throwable {
        boolean isStatic = node.op.equals("static");
        Class<?> owner = type(node.head.get(0));
        String descriptor = node.head.get(2);
        Class<?> result = type(descriptor.substring(descriptor.indexOf(')') + 1));
        Method found = null;
        for (Class<?> c = owner; c != null && found == null; c = c.getSuperclass()) {
            for (Method method : c.getDeclaredMethods()) {
                if (method.getName().equals(node.head.get(1)) && method.getReturnType() == result
                        && Arrays.equals(method.getParameterTypes(), types(descriptor))) {
                    found = method;
                }
            }
        }
        if (found == null) {
            found = owner.getMethod(node.head.get(1), types(descriptor));
        }
        if (found.getDeclaringClass().getClassLoader() != null) {
            found.setAccessible(true);
        }
        unbox(found.getParameterTypes(), args, isStatic ? 0 : 1);
        try {
            return isStatic ? found.invoke(null, args) : found.invoke(args[0], Arrays.copyOfRange(args, 1, args.length));
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** As compiled code does; reflection has an exception of its own for a null. */
    private static void unbox(Class<?>[] types, Object[] args, int first) {
        for (int i = 0; i < types.length; i++) {
            if (types[i].isPrimitive() && args[first + i] == null) {
                throw new NullPointerException();
            }
        }
    }

    private static Object collect(String kind, Object[] args) throws Throwable {
        if (kind.equals("AsList")) {
            return Arrays.asList(args);
        }
        Object made = Class.forName("java.util." + kind).getConstructor().newInstance();
        for (int i = 0; i < args.length; i++) {
            if (made instanceof Map) {
                @SuppressWarnings("unchecked")
                Map<Object, Object> map = (Map<Object, Object>) made;
                map.put(args[i], args[++i]);
            } else {
                @SuppressWarnings("unchecked")
                Collection<Object> collection = (Collection<Object>) made;
                collection.add(args[i]);
            }
        }
        return made;
    }

    /** Heads: interface, then for each block the method's name, its parameters' variables joined by commas, its result. */
    private Object proxy(final Node node, final Frame frame) throws Throwable {
        InvocationHandler handler = new InvocationHandler() {
            @Override
            public Object invoke(Object self, Method method, Object[] args) throws Throwable {
                if (method.getDeclaringClass() == Object.class) {
                    return method.invoke(this, args);
                }
                for (int i = 0; i < node.nodes.size(); i++) {
                    if (node.head.get(1 + 3 * i).equals(method.getName())) {
                        Frame inner = new Frame(frame);
                        String[] names = node.head.get(2 + 3 * i).split(",");
                        inner.vars.put(names[0], self);
                        for (int k = 1; k < names.length; k++) {
                            inner.vars.put(names[k], args[k - 1]);
                        }
                        for (Node statement : node.nodes.get(i).nodes) {
                            perform(statement, inner);
                        }
                        String result = node.head.get(3 + 3 * i);
                        Object value = result.equals("-") ? null : arg(result, inner);
                        return value == null ? zero(method.getReturnType()) : widen(method.getReturnType(), value);
                    }
                }
                if (method.isDefault()) {
                    return inherited(self, method, args);
                }
                return zero(method.getReturnType());
            }
        };
        return Proxy.newProxyInstance(program, new Class<?>[] {type(node.head.get(0))}, handler);
    }

    /** Calls a default method. Each age of the JDK has its own way. */
    private static Object inherited(Object self, Method method, Object[] args) throws Throwable {
        try {
            Method since16 = InvocationHandler.class.getMethod("invokeDefault", Object.class, Method.class, Object[].class);
            return since16.invoke(null, self, method, args);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        } catch (NoSuchMethodException e) {
            Class<?> owner = method.getDeclaringClass();
            return rightsIn(owner).unreflectSpecial(method, owner).bindTo(self).invokeWithArguments(args == null ? new Object[0] : args);
        }
    }

    private static MethodHandles.Lookup rightsIn(Class<?> owner) throws Exception {
        try {
            Method since9 = MethodHandles.class.getMethod("privateLookupIn", Class.class, MethodHandles.Lookup.class);
            return (MethodHandles.Lookup) since9.invoke(null, owner, MethodHandles.lookup());
        } catch (NoSuchMethodException e) {
            Constructor<MethodHandles.Lookup> hidden = MethodHandles.Lookup.class.getDeclaredConstructor(Class.class, int.class);
            hidden.setAccessible(true);
            return hidden.newInstance(owner, MethodHandles.Lookup.PRIVATE);
        }
    }

    private static Object zero(Class<?> type) {
        return type == void.class ? null : Array.get(Array.newInstance(type, 1), 0);
    }

    private static Object widen(Class<?> type, Object value) {
        if (!type.isPrimitive()) {
            return value;
        }
        Object holder = Array.newInstance(type, 1);
        Array.set(holder, 0, value);
        return Array.get(holder, 0);
    }

    private void attempt(Node node, Frame frame) {
        Frame inner = new Frame(frame);
        try {
            for (Node statement : node.nodes.get(0).nodes) {
                perform(statement, inner);
            }
        } catch (Throwable t) {
            Frame top = frame.top();
            if (node.op.equals("keep") && top.kept == null) {
                top.kept = t;
                top.keptAt = top.at;
            }
        }
    }

    /** Heads: turns, and where they carry something on, its variable and the next value. */
    private Object repeat(Node node, Frame frame, Object first) throws Throwable {
        Object carried = first;
        for (int i = 0; i < Integer.parseInt(node.head.get(0)); i++) {
            Frame inner = new Frame(frame);
            if (node.head.size() > 1) {
                inner.vars.put(node.head.get(1), carried);
            }
            for (Node statement : node.nodes.get(0).nodes) {
                perform(statement, inner);
            }
            if (node.head.size() > 1) {
                carried = arg(node.head.get(2), inner);
            }
        }
        return carried;
    }

    private void thread(final Node node, final Frame frame) throws Throwable {
        final Throwable[] thrown = new Throwable[1];
        Thread thread = new Thread(new Runnable() {
            @Override
            public void run() {
                try {
                    Frame inner = new Frame(frame);
                    for (Node statement : node.nodes.get(0).nodes) {
                        test(statement, inner);
                    }
                } catch (Throwable t) {
                    thrown[0] = t;
                }
            }

            /** As the outer one, for the frames below. */
            private void test(Node statement, Frame inner) throws Throwable {
                perform(statement, inner);
            }
        });
        thread.start();
        thread.join();
        if (thrown[0] != null) {
            throw thrown[0];
        }
    }

    private Object arg(String word, Frame frame) throws Throwable {
        String rest = word.substring(1);
        switch (word.charAt(0)) {
            case 'v':
                return frame.get(word);
            case 'n':
                return null;
            case 'Z':
                return Boolean.valueOf(rest);
            case 'B':
                return Byte.valueOf(rest);
            case 'C':
                return (char) Integer.parseInt(rest);
            case 'S':
                return Short.valueOf(rest);
            case 'I':
                return Integer.valueOf(rest);
            case 'J':
                return Long.valueOf(rest);
            case 'F':
                return Float.intBitsToFloat((int) Long.parseLong(rest));
            case 'D':
                return Double.longBitsToDouble(Long.parseLong(rest));
            case 's':
                return unhex(rest).intern();
            case 'T':
                return type(rest);
            default: {
                String[] parts = rest.split(":");
                return type(parts[0]).getField(parts[1]).get(null);
            }
        }
    }

    private Class<?> type(String descriptor) throws ClassNotFoundException {
        String primitives = "ZBCSIJFDV";
        Class<?>[] classes = {boolean.class, byte.class, char.class, short.class, int.class, long.class, float.class, double.class, void.class};
        if (descriptor.length() == 1) {
            return classes[primitives.indexOf(descriptor)];
        }
        String name = descriptor.replace('/', '.');
        return Class.forName(name.startsWith("[") ? name : name.substring(1, name.length() - 1), false, program);
    }

    private Class<?>[] types(String descriptor) throws ClassNotFoundException {
        List<Class<?>> all = new ArrayList<Class<?>>();
        for (int i = 1; descriptor.charAt(i) != ')';) {
            int start = i;
            while (descriptor.charAt(i) == '[') {
                i++;
            }
            i = descriptor.charAt(i) == 'L' ? descriptor.indexOf(';', i) + 1 : i + 1;
            all.add(type(descriptor.substring(start, i)));
        }
        return all.toArray(new Class<?>[0]);
    }
}
