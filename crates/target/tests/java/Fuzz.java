import java.io.*;
import java.lang.reflect.*;
import java.util.*;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/**
 * Calls public members of the classes of a jar with small arguments and prints every new kind of crash, with the bytecode
 * index of each frame. Arguments: the jar, the number of calls. The same arguments give the same calls.
 */
public class Fuzz {
    /** Blocking, writing and ending are not for us. */
    static final String AVOIDED = "wait|notify.*|sleep.*|join|exit|halt|delete.*|await.*|park.*|stop|interrupt.*|read|main"
            + "|start|.*[Tt]hread.*|shutdown.*|accept|connect.*|run|.*[Uu]ninterruptibly.*|.*Directory.*|write.*|copy.*|move.*";
    static final Random random = new Random(1);
    static final Map<Class<?>, List<Executable>> makers = new HashMap<>();

    public static void main(String[] args) throws Throwable {
        List<Executable> members = members(args[0]);
        PrintStream out = System.out;
        System.setOut(new PrintStream(new ByteArrayOutputStream()));
        Set<String> seen = new HashSet<>();
        for (int calls = Integer.parseInt(args[1]); calls > 0; calls--) {
            Executable member = members.get(random.nextInt(members.size()));
            try {
                call(member, 0);
            } catch (Skip e) {
                continue;
            } catch (Throwable thrown) {
                String indices = Bytecodes.of(thrown);
                StackTraceElement frame = firstOfProgram(thrown);
                if (frame == null || !seen.add(thrown.getClass() + " " + frame)) continue;
                out.println("=== " + member);
                thrown.printStackTrace(out);
                out.println("---" + indices);
            }
        }
        out.flush();
        Runtime.getRuntime().halt(0);
    }

    static List<Executable> members(String jar) throws IOException {
        List<Executable> members = new ArrayList<>();
        try (JarFile file = new JarFile(jar)) {
            for (JarEntry entry : Collections.list(file.entries())) {
                String name = entry.getName();
                if (!name.endsWith(".class") || name.startsWith("META-INF")) continue;
                try {
                    String dotted = name.substring(0, name.length() - 6).replace('/', '.');
                    Class<?> type = Class.forName(dotted, false, Fuzz.class.getClassLoader());
                    if (Modifier.isPublic(type.getModifiers()) && !type.isInterface()) add(type, members);
                } catch (ClassNotFoundException | LinkageError e) {
                    // Needs a library that is not there.
                }
            }
        }
        members.sort(Comparator.comparing(Executable::toString));
        makers.values().forEach(ways -> ways.sort(Comparator.comparing(Executable::toString)));
        return members;
    }

    static void add(Class<?> type, List<Executable> members) {
        for (Constructor<?> constructor : type.getConstructors()) {
            if (Modifier.isAbstract(type.getModifiers())) continue;
            members.add(constructor);
            makers.computeIfAbsent(type, t -> new ArrayList<>()).add(constructor);
        }
        for (Method method : type.getMethods()) {
            if (method.getDeclaringClass() == Object.class || method.getName().matches(AVOIDED)) continue;
            members.add(method);
            if (Modifier.isStatic(method.getModifiers()) && !method.getReturnType().isPrimitive()) {
                makers.computeIfAbsent(method.getReturnType(), t -> new ArrayList<>()).add(method);
            }
        }
    }

    static StackTraceElement firstOfProgram(Throwable thrown) {
        for (StackTraceElement frame : thrown.getStackTrace()) {
            String name = frame.getClassName();
            if (name.startsWith("java.") || name.startsWith("jdk.") || name.startsWith("sun.")) continue;
            return name.startsWith("Fuzz") ? null : frame;
        }
        return null;
    }

    /** The arguments could not be made. */
    static class Skip extends RuntimeException { }

    static Object call(Executable member, int depth) throws Throwable {
        Class<?>[] types = member.getParameterTypes();
        Object[] args = new Object[types.length];
        for (int i = 0; i < types.length; i++) args[i] = value(types[i], depth + 1);
        try {
            if (member instanceof Constructor) return ((Constructor<?>) member).newInstance(args);
            boolean isStatic = Modifier.isStatic(member.getModifiers());
            Object receiver = isStatic ? null : value(member.getDeclaringClass(), depth + 1);
            if (receiver == null && !isStatic) throw new Skip();
            return ((Method) member).invoke(receiver, args);
        } catch (InvocationTargetException e) {
            if (depth > 0) throw new Skip();
            throw e.getCause();
        } catch (IllegalAccessException | IllegalArgumentException | InstantiationException e) {
            throw new Skip();
        }
    }

    @SafeVarargs
    static <T> T any(T... values) { return values[random.nextInt(values.length)]; }

    static Object value(Class<?> type, int depth) throws Throwable {
        if (type == int.class || type == Integer.class) return any(0, 1, -1, 2, 5, 100, Integer.MIN_VALUE);
        if (type == long.class || type == Long.class) return any(0L, 1L, -1L, 1000L);
        if (type == short.class || type == Short.class) return any((short) 0, (short) -1, (short) 3);
        if (type == byte.class || type == Byte.class) return any((byte) 0, (byte) -1, (byte) 3);
        if (type == char.class || type == Character.class) return any('a', '0', ' ', '-');
        if (type == boolean.class || type == Boolean.class) return random.nextBoolean();
        if (type == double.class || type == Double.class) return any(0.0, 1.0, -1.0, Double.NaN);
        if (type == float.class || type == Float.class) return any(0f, 1f, -1f, Float.NaN);
        if (random.nextInt(8) == 0) return null;
        if (type == String.class || type == CharSequence.class) return any("", "a", "abc", "-1", "0x", "a.b", "[", "%s", " ", "--x");
        if (type == Object.class || type == Comparable.class) return any("x", 1, new Object(), new int[] {1}, new ArrayList<>());
        if (type == Class.class) return any(String.class, int.class, int[].class, Map.class);
        if (type == List.class || type == Collection.class || type == Iterable.class) {
            return new ArrayList<>(Arrays.asList("b", any("a", null), 3).subList(0, random.nextInt(4)));
        }
        if (type == Map.class) return new HashMap<>(Collections.singletonMap(any("a", null), any("b", null)));
        if (type == Iterator.class) return new ArrayList<>(Arrays.asList("a", null)).iterator();
        if (type == Reader.class) return new StringReader("a<b");
        if (type == InputStream.class) return new ByteArrayInputStream(new byte[] {1, 2, 3});
        if (type.isEnum()) return any(type.getEnumConstants());
        if (type.isArray()) {
            Object array = Array.newInstance(type.getComponentType(), random.nextInt(3));
            for (int i = 0; i < Array.getLength(array); i++) {
                Object element = value(type.getComponentType(), depth + 1);
                if (element != null && !type.getComponentType().isPrimitive()) {
                    if (type.getComponentType().isInstance(element)) Array.set(array, i, element);
                }
            }
            return array;
        }
        List<Executable> ways = makers.get(type);
        return ways == null || depth > 3 ? null : call(any(ways.toArray(new Executable[0])), depth + 1);
    }
}
