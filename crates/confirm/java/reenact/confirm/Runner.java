package reenact.confirm;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Runs the tests of the named classes and keeps what escaped from them, for the native code that has started the VM and that
 * alone has the object. Needs no test framework: tests are found by the name of their annotation. Tests that need more of a
 * framework (rules, runners, parameters, extensions, timeouts, an order) are run by the framework itself, where it is there;
 * loading it takes longer than most tests.
 *
 * Told to ask, by a question mark before the names, it says first which frameworks are needed and not there, and runs
 * nothing then.
 *
 * Before it runs, this class gets another name of the same length, which a test is not told either: it must stay a single
 * class file.
 *
 * What is told: {T, name}, {F, name, exception, its message, its stack, its cause, ..}, {S, name, reason, framework or null},
 * {E, class, reason}, {N, framework}. S is a test that is not run, or that gives up; with a framework, because that is not
 * there.
 */
public final class Runner implements Comparator<Method>, InvocationHandler {
    private static final int MAX_CAUSES = 60;
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
    /** What is run by us. */
    private static final List<String> KNOWN = new ArrayList<String>();

    static {
        for (List<String> known : Arrays.asList(TESTS, BEFORE_ALL, BEFORE_EACH, AFTER_EACH, AFTER_ALL, IGNORED)) {
            KNOWN.addAll(known);
        }
    }

    private static final List<String> NESTED = Collections.singletonList("org.junit.jupiter.api.Nested");
    private static final List<String> RUN_WITH = Collections.singletonList("org.junit.runner.RunWith");
    private static final List<String> WHOLE_CLASS = Collections.singletonList("org.testng.annotations.Test");
    /** Frameworks by the package of their annotations. */
    private static final String JUPITER = "org.junit.jupiter";
    private static final String TESTNG = "org.testng";
    /** Annotations of theirs that only say something to readers. */
    private static final List<String> SPOKEN = Arrays.asList("org.junit.jupiter.api.DisplayName",
            "org.junit.jupiter.api.Tag", "org.junit.jupiter.api.Tags");
    /** Elements of TestNG's annotation of tests that we heed, or that do not change how a test is run. */
    private static final List<String> HEEDED = Arrays.asList("enabled", "expectedExceptions", "description", "groups",
            "testName", "suiteName");

    private final List<Object[]> told = new ArrayList<Object[]>();
    /** Names of what a framework runs, by its own objects for them. */
    private final Map<Object, String> names = new IdentityHashMap<Object, String>();
    /** How often TestNG has called a test with parameters. */
    private final Map<String, Integer> calls = new HashMap<String, Integer>();
    /** The test that a framework has begun and not ended. */
    private String running;

    private Runner() {
    }

    static Object make() {
        return new Runner();
    }

    /** The names are separated by line ends. Returns null: what is to be known is asked for. */
    static Object run(Object made, String text) {
        Runner runner = (Runner) made;
        String[] names = text.split("\n");
        boolean asks = names[0].equals("?");
        List<String> classes = Arrays.asList(names).subList(asks ? 1 : 0, names.length);
        if (!asks || !runner.lacks(classes)) {
            for (String name : classes) {
                runner.runClass(name);
            }
        }
        return null;
    }

    /** So far. Tests may still run, on whatever thread. */
    static Object told(Object made) {
        Runner runner = (Runner) made;
        synchronized (runner.told) {
            return runner.told.toArray();
        }
    }

    private void runClass(String name) {
        Class<?> type;
        List<Method> tests;
        List<String> frameworks;
        try {
            type = Class.forName(name, false, Runner.class.getClassLoader());
            if (!isTestClass(type)) {
                return;
            }
            frameworks = needed(type);
            tests = marked(type, TESTS);
            if (annotation(type, WHOLE_CLASS) != null) {
                addPublic(type, tests);
            }
        } catch (Throwable broken) {
            tell("E", name, String.valueOf(broken));
            return;
        }
        if (needsJUnit4(type, tests) && runByJUnit4(type) || runByFramework(type, frameworks)) {
            return;
        }
        if (!frameworks.isEmpty() && takesAlways(type)) {
            return;
        }
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
                tell("S", name, "it is ignored");
            } else {
                tell("T", name);
            }
        }
        for (Object child : children) {
            announce(child);
        }
    }

    // ---- JUnit 5 and TestNG, by themselves ----

    /** Whether a framework is missing. */
    private boolean lacks(List<String> classes) {
        Set<String> missing = new LinkedHashSet<String>();
        for (String name : classes) {
            try {
                Class<?> type = Class.forName(name, false, Runner.class.getClassLoader());
                for (String framework : isTestClass(type) ? needed(type) : Collections.<String>emptyList()) {
                    if (!isThere(framework)) {
                        missing.add(framework);
                    }
                }
            } catch (Throwable broken) {
                // Told when it is run.
            }
        }
        for (String framework : missing) {
            tell("N", framework);
        }
        return !missing.isEmpty();
    }

    private static boolean isTestClass(Class<?> type) {
        return !type.isInterface() && !Modifier.isAbstract(type.getModifiers());
    }

    /** Without what they build on, these classes are found and cannot be used. */
    private static boolean isThere(String framework) {
        String[] classes = framework.equals(TESTNG) ? new String[] {"org.testng.TestNG"}
                : new String[] {"org.junit.platform.launcher.core.LauncherFactory", "org.junit.jupiter.engine.JupiterTestEngine"};
        try {
            for (String name : classes) {
                Class.forName(name).getMethods();
            }
            return true;
        } catch (ClassNotFoundException | LinkageError absent) {
            return false;
        }
    }

    /** The frameworks that the class cannot do without. */
    private static List<String> needed(Class<?> type) {
        List<String> needed = new ArrayList<String>();
        if (!parts(type, JUPITER).isEmpty()) {
            needed.add(JUPITER);
        }
        if (!parts(type, TESTNG).isEmpty() || hasUnheeded(type)) {
            needed.add(TESTNG);
        }
        return needed;
    }

    /** False if none of the frameworks works; then what only they can run is told. */
    private boolean runByFramework(Class<?> type, List<String> frameworks) {
        for (String framework : frameworks) {
            if (!isThere(framework)) {
                tellParts(type, framework, null);
                continue;
            }
            try {
                runBy(framework, type);
                return true;
            } catch (Throwable thrown) {
                Throwable cause = thrown instanceof InvocationTargetException ? thrown.getCause() : thrown;
                if (running != null) {
                    // Frameworks pass on what leaves no JVM in order.
                    failure(running, cause);
                    return true;
                }
                tellParts(type, framework, cause);
            }
        }
        return false;
    }

    /** Nobody is to take for absent what only its framework can run. */
    private void tellParts(Class<?> type, String framework, Throwable broken) {
        for (Map.Entry<String, String> part : parts(type, framework).entrySet()) {
            if (broken == null) {
                tell("S", part.getKey(), part.getValue(), framework);
            } else {
                tell("S", part.getKey(), part.getValue() + ", and that fails: " + broken);
            }
        }
    }

    /** What of the class only the framework can run, by name, with the reason: tests, or else what is said about them. */
    private static Map<String, String> parts(Class<?> type, String framework) {
        Map<String, String> tests = new LinkedHashMap<String, String>();
        Map<String, String> others = new LinkedHashMap<String, String>();
        for (Class<?> c = type; c != null && c != Object.class; c = c.getSuperclass()) {
            addParts(c, framework, tests, others);
        }
        if (hasTests(type, framework) && takesAlways(type)) {
            tests.put(type.getName(), "its constructor takes parameters");
        }
        return tests.isEmpty() ? others : tests;
    }

    private static boolean hasTests(Class<?> type, String framework) {
        for (Method method : type.getDeclaredMethods()) {
            if (isOf(annotation(method, TESTS), framework)) {
                return true;
            }
        }
        return false;
    }

    /** No constructor can be called without parameters. */
    private static boolean takesAlways(Class<?> type) {
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            if (constructor.getParameterTypes().length == 0) {
                return false;
            }
        }
        return true;
    }

    private static void addParts(Class<?> type, String framework, Map<String, String> tests, Map<String, String> others) {
        String only = "only its framework can run it";
        addOthers(type, type, framework, others);
        for (Field field : type.getDeclaredFields()) {
            addOthers(field, type, framework, others);
        }
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            addOthers(constructor, type, framework, others);
        }
        for (Method method : type.getDeclaredMethods()) {
            String name = method.getName() + "(" + type.getName() + ")";
            boolean isTest = isOf(annotation(method, TESTS), framework);
            if (isForeignTest(method, framework)) {
                tests.put(name, only);
            } else if (isTest && method.getParameterTypes().length > 0) {
                tests.put(name, "it takes parameters");
            } else if (isOf(annotation(method, KNOWN), framework) && method.getParameterTypes().length > 0) {
                others.put(name, "it takes parameters");
            } else {
                addOthers(method, type, framework, others);
            }
        }
        for (Class<?> inner : type.getDeclaredClasses()) {
            if (isOf(annotation(inner, NESTED), framework)) {
                tests.put(inner.getName(), only);
            }
        }
        for (Class<?> shared : type.getInterfaces()) {
            addParts(shared, framework, tests, others);
        }
    }

    private static void addOthers(AnnotatedElement element, Class<?> type, String framework, Map<String, String> others) {
        for (Annotation annotation : element.getAnnotations()) {
            if (isForeign(annotation, framework, new HashSet<Class<?>>())) {
                String name = annotation.annotationType().getSimpleName();
                others.put("@" + name + "(" + type.getName() + ")", "only its framework knows what that means");
            }
        }
    }

    /** Also by an annotation that stands for one of the framework's, as its own do for each other. */
    private static boolean isForeignTest(Method method, String framework) {
        for (Annotation annotation : method.getAnnotations()) {
            Class<?> type = annotation.annotationType();
            if (isOf(annotation(type, FOREIGN), framework) || isOf(annotation(type, TESTS), framework)) {
                return true;
            }
        }
        return isOf(annotation(method, FOREIGN), framework);
    }

    private static boolean isOf(Annotation annotation, String framework) {
        return annotation != null && annotation.annotationType().getName().startsWith(framework);
    }

    /** An annotation of the framework that we know nothing of, or one that stands for some of the framework's. */
    private static boolean isForeign(Annotation annotation, String framework, Set<Class<?>> seen) {
        Class<?> type = annotation.annotationType();
        if (type.getName().startsWith(framework + ".")) {
            return !seen.isEmpty() || !KNOWN.contains(type.getName()) && !SPOKEN.contains(type.getName());
        }
        if (type.getName().startsWith("java.") || !seen.add(type)) {
            return false;
        }
        for (Annotation meant : type.getAnnotations()) {
            if (isForeign(meant, framework, seen)) {
                return true;
            }
        }
        return false;
    }

    /** TestNG says much in its annotation of tests. */
    private static boolean hasUnheeded(Class<?> type) {
        for (Class<?> c = type; c != null && c != Object.class; c = c.getSuperclass()) {
            boolean found = isUnheeded(annotation(c, WHOLE_CLASS));
            for (Method method : c.getDeclaredMethods()) {
                found |= isUnheeded(annotation(method, WHOLE_CLASS));
            }
            if (found) {
                return true;
            }
        }
        return false;
    }

    private static boolean isUnheeded(Annotation test) {
        if (test == null) {
            return false;
        }
        for (Method element : test.annotationType().getDeclaredMethods()) {
            try {
                Object[] values = {element.invoke(test), element.getDefaultValue()};
                if (!HEEDED.contains(element.getName()) && !Arrays.deepEquals(new Object[] {values[0]}, new Object[] {values[1]})) {
                    return true;
                }
            } catch (ReflectiveOperationException unreadable) {
                return true;
            }
        }
        return false;
    }

    private void runBy(String framework, Class<?> type) throws ReflectiveOperationException {
        running = null;
        if (framework.equals(TESTNG)) {
            runByTestNg(type);
        } else {
            runByPlatform(type);
        }
    }

    private void runByPlatform(Class<?> type) throws ReflectiveOperationException {
        Class<?> builder = Class.forName("org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder");
        Object building = builder.getMethod("request").invoke(null);
        Object selector = Class.forName("org.junit.platform.engine.discovery.DiscoverySelectors")
                .getMethod("selectClass", Class.class).invoke(null, type);
        Object selectors = arrayOf("org.junit.platform.engine.DiscoverySelector", selector);
        builder.getMethod("selectors", selectors.getClass()).invoke(building, selectors);
        Method parameter = builder.getMethod("configurationParameter", String.class, String.class);
        // The same order every time, and whole stacks.
        parameter.invoke(building, "junit.jupiter.execution.parallel.enabled", "false");
        parameter.invoke(building, "junit.platform.stacktrace.pruning.enabled", "false");
        Object request = builder.getMethod("build").invoke(building);
        Object listeners = arrayOf("org.junit.platform.launcher.TestExecutionListener",
                listener("org.junit.platform.launcher.TestExecutionListener"));
        Object launcher = Class.forName("org.junit.platform.launcher.core.LauncherFactory").getMethod("create").invoke(null);
        Class<?> requests = Class.forName("org.junit.platform.launcher.LauncherDiscoveryRequest");
        Class.forName("org.junit.platform.launcher.Launcher").getMethod("execute", requests, listeners.getClass())
                .invoke(launcher, request, listeners);
    }

    private void runByTestNg(Class<?> type) throws ReflectiveOperationException {
        Class<?> testng = Class.forName("org.testng.TestNG");
        Object made = testng.getConstructor(boolean.class).newInstance(false);
        testng.getMethod("setVerbose", int.class).invoke(made, 0);
        testng.getMethod("setTestClasses", Class[].class).invoke(made, (Object) new Class<?>[] {type});
        Object listener = listener("org.testng.ITestListener", "org.testng.IConfigurationListener");
        Method adding = null;
        for (Method method : testng.getMethods()) {
            // Of several the one for listeners of all kinds.
            boolean fits = method.getName().equals("addListener") && method.getParameterTypes()[0].isInstance(listener);
            if (fits && (adding == null || method.getParameterTypes()[0].isAssignableFrom(adding.getParameterTypes()[0]))) {
                adding = method;
            }
        }
        if (adding == null) {
            throw new NoSuchMethodException("addListener");
        }
        adding.invoke(made, listener);
        for (Method test : marked(type, WHOLE_CLASS)) {
            if (isIgnored(type, test)) {
                tell("S", test.getName() + "(" + type.getName() + ")", "it is ignored");
            }
        }
        testng.getMethod("run").invoke(made);
    }

    private static Object arrayOf(String type, Object element) throws ClassNotFoundException {
        Object array = Array.newInstance(Class.forName(type), 1);
        Array.set(array, 0, element);
        return array;
    }

    private Object listener(String... interfaces) throws ClassNotFoundException {
        Class<?>[] types = new Class<?>[interfaces.length];
        for (int i = 0; i < types.length; i++) {
            types[i] = Class.forName(interfaces[i]);
        }
        return Proxy.newProxyInstance(Runner.class.getClassLoader(), types, this);
    }

    /** A framework tells what happens. Other threads may tell it too. */
    @Override
    public synchronized Object invoke(Object listener, Method event, Object[] arguments) throws Throwable {
        String name = event.getName();
        if (name.equals("hashCode")) {
            return System.identityHashCode(listener);
        }
        if (name.equals("equals")) {
            return listener == arguments[0];
        }
        if (name.equals("toString")) {
            return "listener";
        }
        if (event.getReturnType() == boolean.class) {
            // Whether it is to be told anything at all.
            return true;
        }
        if (event.getDeclaringClass().getName().startsWith(TESTNG)) {
            // What is told with more is told without it, too.
            if (arguments.length == 1) {
                heardTestNg(name, arguments[0]);
            }
        } else {
            heardPlatform(name, arguments);
        }
        return null;
    }

    private void heardPlatform(String event, Object[] arguments) throws ReflectiveOperationException {
        if (event.equals("executionStarted") && is(arguments[0], "isTest")) {
            begin(platformName(arguments[0]));
        } else if (event.equals("executionSkipped")) {
            tell("S", platformName(arguments[0]), "it is ignored");
        } else if (event.equals("executionFinished")) {
            String name = platformName(arguments[0]);
            String status = String.valueOf(get(arguments[1], "getStatus"));
            if (status.equals("ABORTED")) {
                tell("S", name, "it assumes what does not hold here");
            } else if (status.equals("FAILED")) {
                failure(name, (Throwable) optional(get(arguments[1], "getThrowable")));
            }
            running = null;
        }
    }

    /** As JUnit 4 names tests: {@code method[number](class)}. */
    private static String platformName(Object identifier) throws ReflectiveOperationException {
        Object source = optional(get(identifier, "getSource"));
        String legacy = String.valueOf(get(identifier, "getLegacyReportingName"));
        if (source == null || !source.getClass().getSimpleName().equals("MethodSource")) {
            boolean isClass = source != null && source.getClass().getSimpleName().equals("ClassSource");
            return isClass ? String.valueOf(get(source, "getClassName")) : legacy;
        }
        int number = legacy.indexOf('[', legacy.lastIndexOf(')') + 1);
        return get(source, "getMethodName") + (number < 0 ? "" : legacy.substring(number)) + "(" + get(source, "getClassName") + ")";
    }

    private void heardTestNg(String event, Object result) throws ReflectiveOperationException {
        Throwable thrown = event.startsWith("onTest") || event.equals("onConfigurationFailure")
                ? (Throwable) get(result, "getThrowable") : null;
        if (event.equals("onTestStart")) {
            begin(testNgName(result));
        } else if (event.equals("onTestSkipped") && (thrown == null || thrown.getClass() == Throwable.class)) {
            // It makes up an exception for a test whose forerunners did not pass.
            tell("S", testNgName(result), "what it depends on did not pass");
        } else if (event.equals("onTestSkipped") && SKIPPED.contains(thrown.getClass().getName())) {
            tell("S", testNgName(result), "it assumes what does not hold here");
        } else if (thrown != null && !event.equals("onTestSuccess")) {
            failure(testNgName(result), thrown);
        }
        running = event.equals("onTestStart") ? running : null;
    }

    private String testNgName(Object result) throws ReflectiveOperationException {
        String known = names.get(result);
        if (known != null) {
            return known;
        }
        String method = String.valueOf(get(get(result, "getMethod"), "getMethodName"));
        String type = "(" + get(get(result, "getTestClass"), "getName") + ")";
        Object[] parameters = (Object[]) get(result, "getParameters");
        String number = "";
        if (parameters != null && parameters.length > 0) {
            Integer call = calls.get(method + type);
            call = call == null ? 0 : call + 1;
            calls.put(method + type, call);
            number = "[" + call + "]";
        }
        names.put(result, method + number + type);
        return method + number + type;
    }

    private void begin(String name) {
        running = name;
        tell("T", name);
    }

    /** The class behind a public interface need not be public. */
    private static Object get(Object from, String getter) throws ReflectiveOperationException {
        Method method = from.getClass().getMethod(getter);
        method.setAccessible(true);
        return method.invoke(from);
    }

    private static boolean is(Object from, String getter) throws ReflectiveOperationException {
        return Boolean.TRUE.equals(get(from, getter));
    }

    private static Object optional(Object value) {
        return ((Optional<?>) value).orElse(null);
    }

    // ---- everything else, by us ----

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
                call(method, shared);
            }
        } catch (Throwable thrown) {
            failure(type.getName(), thrown);
            return;
        }
        for (Method test : tests) {
            String name = test.getName() + "(" + type.getName() + ")";
            if (isIgnored(type, test)) {
                tell("S", name, "it is ignored");
                continue;
            }
            tell("T", name);
            Throwable thrown = runTest(type, test, shared, before, after);
            if (thrown != null && SKIPPED.contains(thrown.getClass().getName())) {
                tell("S", name, "it assumes what does not hold here");
            } else if (thrown != null && !isExpected(test, thrown)) {
                failure(name, thrown);
            }
        }
        for (Method method : marked(type, AFTER_ALL)) {
            try {
                call(method, shared);
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
                call(method, instance);
            }
            call(test, instance);
        } catch (Throwable thrown) {
            first = thrown;
        }
        for (Method method : after) {
            try {
                call(method, instance);
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
        tell("T", name);
        try {
            call(main, null, (Object) new String[0]);
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

    private static void call(Method method, Object receiver, Object... arguments) throws Throwable {
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

    private static boolean isIgnored(Class<?> type, Method test) {
        return annotation(test, IGNORED) != null || annotation(type, IGNORED) != null || isDisabled(test);
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
        List<Object> parts = new ArrayList<Object>(Arrays.asList("F", test));
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<Throwable, Boolean>());
        for (Throwable t = thrown; t != null && seen.size() < MAX_CAUSES && seen.add(t); t = causeOf(t)) {
            parts.add(t);
            parts.add(messageOf(t));
            parts.add(stackOf(t));
        }
        tell(parts.toArray());
    }

    private static StackTraceElement[] stackOf(Throwable thrown) {
        try {
            return thrown.getStackTrace();
        } catch (Throwable broken) {
            return new StackTraceElement[0];
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

    private void tell(Object... parts) {
        synchronized (told) {
            told.add(parts);
        }
    }
}
