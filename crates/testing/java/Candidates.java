import java.util.ArrayList;
import java.util.List;

/** What candidates do to a worker, harmless and otherwise. */
public final class Candidates {
    static int counter;
    static final List<String> LIST = new ArrayList<>();
    static int initialised = 40 + 2;
    private static volatile int sink;

    static final class Registry {
        static final List<String> ENTRIES = new ArrayList<>();
    }

    /** Registers itself elsewhere when it is initialised. */
    static final class Registered {
        static { Registry.ENTRIES.add("registered"); }
        static int touch() { return 1; }
    }

    static class Base {
        static int base = 5;
        static int constant() { return 7; }
    }

    static final class Derived extends Base { }

    /** Its initialiser waits for a thread that uses another class. */
    static final class Awaiting {
        static int value;

        static {
            Thread thread = new Thread(new Registering());
            thread.start();
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    static final class Registering implements Runnable {
        static int registered;

        @Override
        public void run() {
            registered++;
            value = 1;
        }
    }

    static int value;

    static final class Failing {
        static final int VALUE = Integer.parseInt("x");
        static int value() { return VALUE; }
    }

    enum Kind {
        A, B;
        int changed;
        static int total;
    }

    /** As with optional libraries: why a class cannot be used is said once, and in other words ever after. */
    static final class Optional {
        static { if (true) { throw new IllegalStateException("not here"); } }
        static void use() { }
    }

    static final class Once {
        static int total;
        static {
            try {
                Optional.use();
            } catch (ExceptionInInitializerError absent) {
                sink++;
            }
        }
    }

    /** The JDK makes it while it initialises a class of its own. */
    public static final class Zones extends java.time.zone.ZoneRulesProvider {
        public Zones() { for (int i = 0; i < 1000; i++) { new Thread().start(); } }
        @Override protected java.util.Set<String> provideZoneIds() { return java.util.Collections.emptySet(); }
        @Override protected java.time.zone.ZoneRules provideRules(String id, boolean caching) { return null; }
        @Override protected java.util.NavigableMap<String, java.time.zone.ZoneRules> provideVersions(String id) { return null; }
    }

    public static void threadsInInitialiserOfJdk() {
        System.setProperty("java.time.zone.DefaultZoneRulesProvider", "Candidates$Zones");
        zones();
    }

    public static void zones() { check(java.time.zone.ZoneRulesProvider.getAvailableZoneIds().size() > 10, "zones"); }

    /** Fails unless it starts from a clean slate. */
    public static void cleanSlate() {
        check(counter == 0, "counter " + counter);
        check(LIST.isEmpty(), "list " + LIST);
        check(initialised == 42, "initialised " + initialised);
        check(Derived.base == 5, "base " + Derived.base);
        check(Registry.ENTRIES.isEmpty(), "registry " + Registry.ENTRIES);
        Registered.touch();
        check(Registry.ENTRIES.size() == 1, "registry after " + Registry.ENTRIES);
    }

    /** Leaves as much behind as it can. */
    public static void dirty() {
        counter++;
        LIST.add("x");
        initialised = 0;
        Derived.base = -1;
        Registry.ENTRIES.add("y");
        Registered.touch();
    }

    private static void check(boolean holds, String what) {
        if (!holds) { throw new IllegalStateException(what); }
    }

    public static void fine() { }

    public static void compare(int a, int b) {
        if (a < b) {
            sink++;
        }
        if ("expected".equals("text" + a)) {
            sink--;
        }
    }

    public static void nullPointer() { Object o = sink == -1 ? "" : null; o.hashCode(); }
    public static void spin() { while (true) { sink++; } }
    public static void spinInJdk() { java.util.stream.LongStream.range(0, Long.MAX_VALUE).max(); }
    public static void sleep() throws InterruptedException { Thread.sleep(100_000); }
    public static void swallowSteps() { for (;;) { try { spin(); } catch (Throwable t) { sink++; } } }
    public static void swallowTime() { for (int k = 0; k < 3; k++) { try { Thread.sleep(100_000); } catch (Throwable t) { sink++; } } }
    public static void unstoppable() throws Exception { new java.io.FileInputStream(pipe()).read(); }
    public static void exit() { System.exit(3); }
    public static void halt() { Runtime.getRuntime().halt(4); }
    public static void swallowedExit() { try { System.exit(5); } catch (Throwable t) { sink++; } }
    public static void overflow() { overflow(); sink++; }
    public static void tooLargeBuffer() { java.nio.ByteBuffer.allocateDirect(Integer.MAX_VALUE); }
    public static void memory() { List<Object> all = new ArrayList<>(); for (int k = 0; k < 4000; k++) { all.add(new long[100_000]); } }
    public static void largeArray() { int[] a = new int[500_000_000]; sink = a.length; }
    public static void largeList() { sink = new ArrayList<>(900_000_000).size(); }
    public static void largeText() { StringBuilder text = new StringBuilder("x"); while (true) { text.append(text); } }

    private static final java.util.List<java.io.InputStream> OPEN = new java.util.ArrayList<>();

    /** Nobody can reach the streams once the static field is what it was. */
    public static void leaveOpen(int files) throws Exception {
        for (int i = 0; i < files; i++) {
            OPEN.add(new java.io.FileInputStream("/dev/null"));
        }
    }

    public static void leaveFiles() throws Exception {
        check(new java.io.File(".").list().length == 0, "files in the working directory");
        check(new java.io.File(System.getProperty("java.io.tmpdir")).list().length == 0, "temporary files");
        new java.io.FileOutputStream("left").close();
        new java.io.File("deep/er").mkdirs();
        java.io.File.createTempFile("also", "left");
    }

    public interface CounterMBean { int getCount(); }
    public static class Counter implements CounterMBean { public int getCount() { return 1; } }
    public static void registerBean() throws Exception {
        javax.management.MBeanServer server = java.lang.management.ManagementFactory.getPlatformMBeanServer();
        server.registerMBean(new Counter(), new javax.management.ObjectName("candidates:type=Counter"));
        check(server.isRegistered(new javax.management.ObjectName("java.lang:type=Runtime")), "beans of the JDK");
    }
    public static void largeTable() { long[][] a = new long[40_000][40_000]; sink = a.length; }
    public static void failingInitialiser() { Failing.value(); }
    public static void readEnum() {
        check(Kind.B.ordinal() == 1 && Kind.values().length == 2, "enum");
        check(Kind.total == 0, "total " + Kind.total);
    }
    public static void writeEnum() { Kind.total++; }

    public static void writeOnce() {
        check(Once.total == 0, "total " + Once.total);
        Once.total++;
    }

    /** A pool with a thread for each of its workers, which it replaces when they end by an exception. */
    public static void leavesPool() {
        java.util.concurrent.ScheduledExecutorService pool = java.util.concurrent.Executors.newScheduledThreadPool(2);
        pool.scheduleAtFixedRate(() -> sink++, 0, 1, java.util.concurrent.TimeUnit.MILLISECONDS);
        pool.schedule(() -> { sink++; }, 0, java.util.concurrent.TimeUnit.MILLISECONDS);
    }

    public static void threads() {
        for (int k = 0; k < 5000; k++) {
            Thread thread = new Thread(() -> { try { Thread.sleep(100_000); } catch (InterruptedException end) { } });
            thread.setDaemon(true);
            thread.start();
        }
    }

    public static void crash() throws Exception {
        Class<?> type = Class.forName("sun.misc.Unsafe");
        java.lang.reflect.Field field = type.getDeclaredField("theUnsafe");
        field.setAccessible(true);
        type.getMethod("putLong", long.class, long.class).invoke(field.get(null), 8L, 1L);
    }

    /** A pipe that nobody writes to; reading from it blocks inside the kernel. */
    private static java.io.FileDescriptor pipe() throws Exception {
        java.nio.channels.Pipe pipe = java.nio.channels.Pipe.open();
        java.nio.channels.ReadableByteChannel source = pipe.source();
        java.lang.reflect.Field field = source.getClass().getDeclaredField("fd");
        field.setAccessible(true);
        return (java.io.FileDescriptor) field.get(source);
    }

    private Candidates() {}

    /** Nobody will ever notify. */
    public static void waitForEver() throws InterruptedException {
        Object lock = new Object();
        synchronized (lock) {
            lock.wait();
        }
    }

    public static void awaitThread() {
        Registering.registered++;
        check(Awaiting.value++ == 0, "value " + Awaiting.value);
        check(Registering.registered == 2, "registered " + Registering.registered);
        check(value == 1, "value " + value);
    }

    /** All of its threads wait for each other. */
    public static void waitTogether() throws InterruptedException {
        leaveThread();
        waitForEver();
    }

    /** A server that waits for who never calls. */
    public static void leaveServer() throws java.io.IOException {
        java.net.ServerSocket server = new java.net.ServerSocket(0);
        Thread thread = new Thread() {
            @Override
            public void run() {
                try {
                    server.accept();
                } catch (java.io.IOException e) {
                    // It has been closed.
                }
            }
        };
        thread.start();
        while (!waitsForCalls(thread)) {
            Thread.yield();
        }
    }

    private static boolean waitsForCalls(Thread thread) {
        StackTraceElement[] stack = thread.getStackTrace();
        return stack.length > 0 && stack[0].isNativeMethod();
    }

    /** A dispatcher that waits for work, and takes an exception for no reason to end. */
    public static void leaveThread() {
        Thread thread = new Thread() {
            private boolean wasDisturbed;

            @Override
            public synchronized void run() {
                while (true) {
                    try {
                        wait();
                    } catch (Throwable disturbed) {
                        if (wasDisturbed) {
                            throw new IllegalStateException(disturbed);
                        }
                        wasDisturbed = true;
                    }
                }
            }
        };
        thread.setDaemon(true);
        thread.start();
    }

    public static void leaveTimer() {
        new java.util.Timer(true);
    }
}
