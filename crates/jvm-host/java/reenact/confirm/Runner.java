package reenact.confirm;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Runs the tests of the named classes and tells on standard output what escaped from them. Every line begins with the
 * key that was read from standard input, which a test cannot know. Needs no test framework: tests are found by the name
 * of their annotation. Tests of JUnit 4 that need more of it (rules, runners, timeouts, an order) are run by JUnit 4
 * itself, where it is there; loading it takes longer than most tests.
 *
 * Before it runs, this class gets another name of the same length, which a test cannot know either: it must stay a single
 * class file.
 *
 * Lines (fields are separated by tabs): T name | F name | X class message | A class method file line | S name reason |
 * E class reason | END. S is a test that is not run, or that gives up.
 */
public final class Runner implements Comparator<Method>, Runnable {
    private static final int MAX_CAUSES = 60;
    private static final int MAX_FRAMES = 4096;
    private static final int MAX_MESSAGE = 1 << 16;

    private static final List<String> TESTS =
            Arrays.asList("org.junit.Test", "org.junit.jupiter.api.Test", "org.testng.annotations.Test");
    private static final List<String> BEFORE_ALL = Arrays.asList("org.junit.BeforeClass",
            "org.junit.jupiter.api.BeforeAll", "org.testng.annotations.BeforeClass");
    private static final List<String> BEFORE_EACH = Arrays.asList("org.junit.Before",
            "org.junit.jupiter.api.BeforeEach", "org.testng.annotations.BeforeMethod");
    private static final List<String> AFTER_EACH = Arrays.asList("org.junit.After",
            "org.junit.jupiter.api.AfterEach", "org.testng.annotations.AfterMethod");
    private static final List<String> AFTER_ALL = Arrays.asList("org.junit.AfterClass",
            "org.junit.jupiter.api.AfterAll", "org.testng.annotations.AfterClass");
    private static final List<String> IGNORED =
            Arrays.asList("org.junit.Ignore", "org.junit.jupiter.api.Disabled", "org.testng.annotations.Ignore");
    private static final List<String> SKIPPED = Arrays.asList("org.junit.AssumptionViolatedException",
            "org.junit.internal.AssumptionViolatedException", "org.opentest4j.TestAbortedException",
            "org.testng.SkipException");
    /** Tests that their framework calls with something, or several times. */
    private static final List<String> FOREIGN = Arrays.asList("org.junit.jupiter.params.ParameterizedTest",
            "org.junit.jupiter.api.RepeatedTest", "org.junit.jupiter.api.TestFactory",
            "org.junit.jupiter.api.TestTemplate", "org.testng.annotations.Factory");
    private static final List<String> NESTED = Collections.singletonList("org.junit.jupiter.api.Nested");
    private static final List<String> RUN_WITH = Collections.singletonList("org.junit.runner.RunWith");
    private static final List<String> WHOLE_CLASS = Collections.singletonList("org.testng.annotations.Test");

    private final BufferedReader in;
    private final PrintStream out;
    private final String key;

    private Runner(BufferedReader in, PrintStream out, String key) {
        this.in = in;
        this.out = out;
        this.key = key;
    }

    public static void main(String[] names) throws Exception {
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, "UTF-8");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
        String key = in.readLine();
        System.setIn(new ByteArrayInputStream(new byte[0]));
        System.setOut(System.err);
        Runner runner = new Runner(in, out, key);
        Thread watcher = new Thread(runner, "watcher");
        watcher.setDaemon(true);
        watcher.start();
        for (String name : names) {
            runner.runClass(name);
        }
        runner.line("END");
        Runtime.getRuntime().halt(0);
    }

    /** Whoever started us holds our input open for as long as it lives; nothing must go on after it. */
    @Override
    public void run() {
        try {
            while (in.read() >= 0) {
                continue;
            }
        } catch (IOException end) {
            // As good as the end of the stream.
        }
        Runtime.getRuntime().halt(1);
    }

    private void runClass(String name) {
        Class<?> type;
        List<Method> tests;
        try {
            type = Class.forName(name, false, Runner.class.getClassLoader());
            if (type.isInterface() || Modifier.isAbstract(type.getModifiers())) {
                return;
            }
            tests = marked(type, TESTS);
            if (annotation(type, WHOLE_CLASS) != null) {
                addPublic(type, tests);
            }
        } catch (Throwable broken) {
            line("E", name, escape(String.valueOf(broken)));
            return;
        }
        if (needsJUnit4(type, tests) && runByJUnit4(type)) {
            return;
        }
        tellForeign(type);
        if (!tests.isEmpty()) {
            runTests(type, tests);
        } else {
            runMain(type);
        }
    }

    // ---- JUnit 4 and 3, by JUnit itself ----

    private static boolean needsJUnit4(Class<?> type, List<Method> tests) {
        boolean chosen = isJUnit3(type) || annotation(type, RUN_WITH) != null;
        return chosen || any(tests, "org.junit.Test") && !isPlain(type, tests);
    }

    /** One test and nothing else that is annotated: then JUnit 4 would do what we do. */
    private static boolean isPlain(Class<?> type, List<Method> tests) {
        if (!Modifier.isPublic(type.getModifiers()) || type.getConstructors().length != 1 || tests.size() != 1) {
            return false;
        }
        int annotated = 0;
        for (Class<?> c = type; c != null && c != Object.class; c = c.getSuperclass()) {
            annotated += c.getAnnotations().length;
            for (Field field : c.getDeclaredFields()) {
                annotated += field.getAnnotations().length;
            }
            for (Method method : c.getDeclaredMethods()) {
                annotated += method.getAnnotations().length;
            }
        }
        Method test = tests.get(0);
        int modifiers = test.getModifiers();
        boolean valid = Modifier.isPublic(modifiers) && !Modifier.isStatic(modifiers) && test.getReturnType() == void.class;
        return valid && annotated == 1 && !hasTimeout(test);
    }

    private static boolean hasTimeout(Method test) {
        Annotation annotation = annotation(test, TESTS);
        try {
            return !Long.valueOf(0).equals(annotation.annotationType().getMethod("timeout").invoke(annotation));
        } catch (ReflectiveOperationException noSuchElement) {
            return false;
        }
    }

    private static boolean isJUnit3(Class<?> type) {
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            if (c.getName().equals("junit.framework.TestCase")) {
                return true;
            }
        }
        return false;
    }

    /** False if JUnit's runner is not on the class path. Methods are those of public classes: what is behind them is not. */
    private boolean runByJUnit4(Class<?> type) {
        try {
            Class<?> core = Class.forName("org.junit.runner.JUnitCore");
            Class<?> request = Class.forName("org.junit.runner.Request");
            Class<?> runner = Class.forName("org.junit.runner.Runner");
            Class<?> failure = Class.forName("org.junit.runner.notification.Failure");
            Object made = request.getMethod("getRunner").invoke(request.getMethod("aClass", Class.class).invoke(null, type));
            announce(runner.getMethod("getDescription").invoke(made));
            Object result = core.getMethod("runClasses", Class[].class).invoke(null, (Object) new Class<?>[] {type});
            for (Object one : (List<?>) Class.forName("org.junit.runner.Result").getMethod("getFailures").invoke(result)) {
                failure(String.valueOf(failure.getMethod("getTestHeader").invoke(one)),
                        (Throwable) failure.getMethod("getException").invoke(one));
            }
            return true;
        } catch (ReflectiveOperationException | LinkageError absent) {
            return false;
        }
    }

    private void announce(Object described) throws ReflectiveOperationException {
        Class<?> description = Class.forName("org.junit.runner.Description");
        List<?> children = (List<?>) description.getMethod("getChildren").invoke(described);
        if (children.isEmpty()) {
            String name = String.valueOf(description.getMethod("getDisplayName").invoke(described));
            Class<?> ignore = Class.forName("org.junit.Ignore");
            if (description.getMethod("getAnnotation", Class.class).invoke(described, ignore) != null) {
                line("S", escape(name), escape("it is ignored"));
            } else {
                line("T", escape(name));
            }
        }
        for (Object child : children) {
            announce(child);
        }
    }

    // ---- everything else, by us ----

    /** Nobody is to take for absent what only its framework can run. */
    private void tellForeign(Class<?> type) {
        for (Method method : type.getDeclaredMethods()) {
            boolean takes = annotation(method, TESTS) != null && method.getParameterTypes().length > 0;
            if (takes || annotation(method, FOREIGN) != null) {
                String reason = takes ? "it takes parameters" : "only its framework can run it";
                line("S", escape(method.getName() + "(" + type.getName() + ")"), escape(reason));
            }
        }
        for (Class<?> inner : type.getDeclaredClasses()) {
            if (annotation(inner, NESTED) != null) {
                line("S", escape(inner.getName()), escape("only its framework can run it"));
            }
        }
    }

    /** TestNG: the annotation of a class stands for that of all its public methods. */
    private void addPublic(Class<?> type, List<Method> tests) {
        Method[] methods = type.getDeclaredMethods();
        Arrays.sort(methods, this);
        for (Method method : methods) {
            boolean fits = Modifier.isPublic(method.getModifiers()) && !Modifier.isStatic(method.getModifiers())
                    && method.getReturnType() == void.class && method.getParameterTypes().length == 0;
            if (fits && method.getAnnotations().length == 0) {
                tests.add(method);
            }
        }
    }

    private void runTests(Class<?> type, List<Method> tests) {
        List<Method> before = marked(type, BEFORE_EACH);
        List<Method> after = marked(type, AFTER_EACH);
        Object shared = null;
        try {
            for (Method method : marked(type, BEFORE_ALL)) {
                if (!Modifier.isStatic(method.getModifiers()) && shared == null) {
                    shared = instance(type);
                }
                invoke(method, shared);
            }
        } catch (Throwable thrown) {
            failure(type.getName(), thrown);
            return;
        }
        for (Method test : tests) {
            String name = test.getName() + "(" + type.getName() + ")";
            if (annotation(test, IGNORED) != null || annotation(type, IGNORED) != null || isDisabled(test)) {
                line("S", escape(name), escape("it is ignored"));
                continue;
            }
            line("T", escape(name));
            Throwable thrown = runTest(type, test, shared, before, after);
            if (thrown != null && SKIPPED.contains(thrown.getClass().getName())) {
                line("S", escape(name), escape("it assumes what does not hold here"));
            } else if (thrown != null && !isExpected(test, thrown)) {
                failure(name, thrown);
            }
        }
        for (Method method : marked(type, AFTER_ALL)) {
            try {
                invoke(method, shared);
            } catch (Throwable thrown) {
                failure(type.getName(), thrown);
            }
        }
    }

    private static Throwable runTest(Class<?> type, Method test, Object shared, List<Method> before, List<Method> after) {
        Throwable first = null;
        Object instance = shared;
        try {
            if (instance == null && !Modifier.isStatic(test.getModifiers())) {
                instance = instance(type);
            }
            for (Method method : before) {
                invoke(method, instance);
            }
            invoke(test, instance);
        } catch (Throwable thrown) {
            first = thrown;
        }
        for (Method method : after) {
            try {
                invoke(method, instance);
            } catch (Throwable thrown) {
                first = first == null ? thrown : first;
            }
        }
        return first;
    }

    private void runMain(Class<?> type) {
        Method main;
        try {
            main = type.getDeclaredMethod("main", String[].class);
        } catch (NoSuchMethodException none) {
            return;
        }
        if (!Modifier.isStatic(main.getModifiers())) {
            return;
        }
        String name = "main(" + type.getName() + ")";
        line("T", escape(name));
        try {
            invoke(main, null, (Object) new String[0]);
        } catch (Throwable thrown) {
            failure(name, thrown);
        }
    }

    private static Object instance(Class<?> type) throws Throwable {
        Constructor<?> constructor = type.getDeclaredConstructor();
        constructor.setAccessible(true);
        try {
            return constructor.newInstance();
        } catch (InvocationTargetException wrapped) {
            throw wrapped.getCause();
        }
    }

    private static void invoke(Method method, Object receiver, Object... arguments) throws Throwable {
        method.setAccessible(true);
        try {
            method.invoke(receiver, arguments);
        } catch (InvocationTargetException wrapped) {
            throw wrapped.getCause();
        }
    }

    /** The methods with one of these annotations, those of superclasses first, each kind in the order of names. */
    private List<Method> marked(Class<?> type, List<String> annotations) {
        Map<String, Method> found = new LinkedHashMap<String, Method>();
        List<Class<?>> chain = new ArrayList<Class<?>>();
        for (Class<?> c = type; c != null && c != Object.class; c = c.getSuperclass()) {
            chain.add(0, c);
        }
        for (Class<?> c : chain) {
            Method[] methods = c.getDeclaredMethods();
            Arrays.sort(methods, this);
            for (Method method : methods) {
                if (annotation(method, annotations) != null && method.getParameterTypes().length == 0) {
                    found.put(method.getName(), method);
                }
            }
        }
        return new ArrayList<Method>(found.values());
    }

    @Override
    public int compare(Method a, Method b) {
        return a.getName().compareTo(b.getName());
    }

    private static boolean any(List<Method> methods, String annotation) {
        for (Method method : methods) {
            if (annotation(method, Collections.singletonList(annotation)) != null) {
                return true;
            }
        }
        return false;
    }

    private static Annotation annotation(AnnotatedElement element, List<String> names) {
        for (Annotation annotation : element.getAnnotations()) {
            if (names.contains(annotation.annotationType().getName())) {
                return annotation;
            }
        }
        return null;
    }

    /** As TestNG does it. */
    private static boolean isDisabled(Method test) {
        Annotation annotation = annotation(test, TESTS);
        if (annotation == null) {
            return false;
        }
        try {
            return Boolean.FALSE.equals(annotation.annotationType().getMethod("enabled").invoke(annotation));
        } catch (ReflectiveOperationException noSuchElement) {
            return false;
        }
    }

    private static boolean isExpected(Method test, Throwable thrown) {
        Annotation annotation = annotation(test, TESTS);
        if (annotation == null) {
            return false;
        }
        for (String element : new String[] {"expected", "expectedExceptions"}) {
            try {
                Object value = annotation.annotationType().getMethod(element).invoke(annotation);
                Class<?>[] types = value instanceof Class ? new Class<?>[] {(Class<?>) value} : (Class<?>[]) value;
                for (Class<?> type : types) {
                    if (type.isInstance(thrown)) {
                        return true;
                    }
                }
            } catch (ReflectiveOperationException noSuchElement) {
                continue;
            }
        }
        return false;
    }

    // ---- telling ----

    private void failure(String test, Throwable thrown) {
        line("F", escape(test));
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<Throwable, Boolean>());
        for (Throwable t = thrown; t != null && seen.size() < MAX_CAUSES && seen.add(t); t = causeOf(t)) {
            line("X", t.getClass().getName(), escape(messageOf(t)));
            StackTraceElement[] stack = t.getStackTrace();
            for (int i = 0; i < stack.length && i < MAX_FRAMES; i++) {
                StackTraceElement e = stack[i];
                line("A", e.getClassName(), e.getMethodName(), escape(e.getFileName()), "" + e.getLineNumber());
            }
        }
    }

    private static String messageOf(Throwable thrown) {
        try {
            String message = thrown.getLocalizedMessage();
            return message == null || message.length() <= MAX_MESSAGE ? message : message.substring(0, MAX_MESSAGE);
        } catch (Throwable broken) {
            return null;
        }
    }

    private static Throwable causeOf(Throwable thrown) {
        try {
            return thrown.getCause();
        } catch (Throwable broken) {
            return null;
        }
    }

    private static String escape(String text) {
        return text == null ? "-" : "=" + text.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t");
    }

    private void line(String... fields) {
        // A test may have left an unfinished line on the same descriptor.
        StringBuilder text = new StringBuilder("\n").append(key);
        for (String field : fields) {
            text.append('\t').append(field);
        }
        out.print(text.append('\n'));
        out.flush();
    }
}
