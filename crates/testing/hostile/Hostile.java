import java.io.File;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.RandomAccessFile;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Properties;
import java.util.TimeZone;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.locks.LockSupport;

/**
 * One method per kind of damage. Each is public and static and takes nothing, so that a recipe or a test can call it.
 * System properties say whom to attack: {@code hostile.canary} is a directory with a file {@code precious} and an empty
 * directory {@code empty}, {@code hostile.port} a port that someone listens on, {@code hostile.pid} a process.
 */
public final class Hostile {
    private static volatile int sink;
    private static final List<Object> KEPT = new ArrayList<>();

    // ---- The end of the VM

    public static void exit() { System.exit(3); }
    public static void halt() { Runtime.getRuntime().halt(4); }
    public static void exitSwallowed() { while (true) { try { System.exit(5); } catch (Throwable t) { sink++; } } }
    public static void exitInThread() throws Exception { Thread t = new Thread(() -> System.exit(6)); t.start(); t.join(); }
    public static void exitInFinally() { try { throw new IllegalStateException(); } finally { System.exit(7); } }
    public static void shutdownHook() { Runtime.getRuntime().addShutdownHook(new Thread(Hostile::deleteQuietly)); System.exit(0); }
    public static void endlessHook() { Runtime.getRuntime().addShutdownHook(new Thread(Hostile::spin)); }
    public static void crash() throws Exception { unsafe("putLong", new Class<?>[] {long.class, long.class}, 8L, 1L); }
    public static void raiseKill() throws Exception { raise("KILL"); }
    public static void raiseTerm() throws Exception { raise("TERM"); }
    public static void raiseSegv() throws Exception { raise("SEGV"); }

    // ---- Programs and other processes

    public static void exec() throws Exception { Runtime.getRuntime().exec(new String[] {"/bin/touch", canary("touched").toString()}).waitFor(); }
    public static void execShell() throws Exception { new ProcessBuilder("/bin/sh", "-c", "rm -rf " + canary("")).start().waitFor(); }
    public static void execJava() throws Exception { new ProcessBuilder(System.getProperty("java.home") + "/bin/java", "-version").start().waitFor(); }
    public static void loadLibrary() throws Exception { Path made = Paths.get("evil.so").toAbsolutePath(); Files.write(made, new byte[] {0x7f, 'E', 'L', 'F'}); System.load(made.toString()); }
    public static void loadMissingLibrary() { System.loadLibrary("no-such-library"); }
    public static void killOutside() throws Exception { destroy(Long.getLong("hostile.pid")); }
    public static void killParent() throws Exception {
        Object self = Class.forName("java.lang.ProcessHandle").getMethod("current").invoke(null);
        Object parent = ((Optional<?>) handle("parent").invoke(self)).get();
        handle("destroyForcibly").invoke(parent);
    }
    public static void killAll() throws Exception {
        ((java.util.stream.Stream<?>) handle("allProcesses").invoke(null)).forEach(other -> {
            try {
                handle("destroyForcibly").invoke(other);
            } catch (Exception e) {
                sink++;
            }
        });
    }

    public static void leaveGroup() { attack(() -> joinParentsGroup()); spin(); }
    public static void leaveSession() { attack(() -> leadSession()); spin(); }
    public static void outliveParent() { attack(() -> forgetParent()); attack(() -> standStill()); spin(); } // Until the signal arrives.
    public static void freeze() { attack(() -> standStill()); spin(); }

    // ---- Files

    public static void overwrite() throws Exception { Files.write(canary("precious"), new byte[] {1}); }
    public static void truncate() throws Exception { new FileOutputStream(canary("precious").toFile()).close(); }
    public static void append() throws Exception { Files.write(canary("precious"), new byte[] {1}, StandardOpenOption.APPEND); }
    public static void randomAccess() throws Exception { try (RandomAccessFile f = new RandomAccessFile(canary("precious").toFile(), "rw")) { f.setLength(0); } }
    public static void mapAndWrite() throws Exception {
        try (FileChannel c = FileChannel.open(canary("precious"), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            c.map(FileChannel.MapMode.READ_WRITE, 0, 4).put(new byte[] {1, 2, 3, 4});
        }
    }
    public static void create() throws Exception { Files.createFile(canary("new")); }
    public static void createDirectory() throws Exception { Files.createDirectory(canary("new-directory")); }
    public static void delete() throws Exception { Files.delete(canary("precious")); }
    public static void deleteTree() throws Exception {
        for (String root : new String[] {canary("").toString(), System.getProperty("user.home"), "/"}) {
            Files.walkFileTree(Paths.get(root), new SimpleFileVisitor<Path>() {
                private int left = 500;
                @Override public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    file.toFile().delete();
                    return left-- > 0 ? FileVisitResult.CONTINUE : FileVisitResult.TERMINATE;
                }
                @Override public FileVisitResult visitFileFailed(Path file, IOException e) { return FileVisitResult.CONTINUE; }
            });
        }
    }
    public static void deleteDirectory() throws Exception { Files.delete(canary("empty")); }
    public static void deleteOnExit() { canary("precious").toFile().deleteOnExit(); System.exit(0); }
    public static void rename() throws Exception { Files.move(canary("precious"), canary("other"), StandardCopyOption.ATOMIC_MOVE); }
    public static void replace() throws Exception { Files.write(Paths.get("bad"), new byte[3]); Files.move(Paths.get("bad"), canary("precious"), StandardCopyOption.REPLACE_EXISTING); }
    public static void chmod() throws Exception { Files.setPosixFilePermissions(canary("precious"), PosixFilePermissions.fromString("rwxrwxrwx")); }
    public static void setReadOnly() { canary("precious").toFile().setReadOnly(); }
    public static void setTimes() throws Exception { Files.setLastModifiedTime(canary("precious"), FileTime.fromMillis(0)); }
    public static void symlinkOut() throws Exception { Path link = Paths.get("link"); Files.createSymbolicLink(link, canary("")); Files.delete(link.resolve("precious")); }
    public static void symlinkLeft() throws Exception { Files.createSymbolicLink(Paths.get("left"), canary("")); Files.createDirectories(Paths.get("a/b")); Files.createSymbolicLink(Paths.get("a/b/left"), canary("")); }
    public static void hardLink() throws Exception { Files.createLink(Paths.get("in"), canary("precious")); Files.write(Paths.get("in"), new byte[1]); }
    public static void writeProc() throws Exception { Files.write(Paths.get("/proc/self/oom_score_adj"), "1000".getBytes()); }
    public static void writeSharedMemory() throws Exception { Files.createTempFile(Paths.get("/dev/shm"), "a", "b"); }
    public static void readSecrets() throws Exception { for (String path : new String[] {"/etc/shadow", System.getProperty("user.home") + "/.bashrc", "/proc/self/environ"}) { try { sink += Files.readAllBytes(Paths.get(path)).length; } catch (IOException e) { sink++; } } }
    public static void fillDisk() throws Exception { byte[] block = new byte[1 << 20]; for (int f = 0;; f++) { try (FileOutputStream out = new FileOutputStream("large" + f)) { for (int k = 0; k < 512; k++) { out.write(block); } } } }
    public static void sparseFile() throws Exception { try (RandomAccessFile f = new RandomAccessFile("sparse", "rw")) { f.setLength(100L << 30); } }
    public static void manyFiles() throws Exception { for (int k = 0; k < 20_000; k++) { new File("file" + k).createNewFile(); } }
    public static void deepDirectories() { File f = new File("d"); for (int k = 0; k < 300; k++) { f = new File(f, "d"); } f.mkdirs(); }
    public static void lockedDirectory() throws Exception { Path made = Files.createDirectories(Paths.get("locked/inner")); Files.write(made.resolve("f"), new byte[1]); made.toFile().setWritable(false); made.toFile().setExecutable(false); made.getParent().toFile().setReadOnly(); }
    public static void openFiles() throws Exception { List<FileInputStream> open = new ArrayList<>(); KEPT.add(open); while (true) { open.add(new FileInputStream("/dev/zero")); } }
    public static void mapHuge() throws Exception { try (RandomAccessFile f = new RandomAccessFile("map", "rw")) { for (int k = 0; k < 64; k++) { KEPT.add(f.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, 1 << 30)); } } }

    // ---- Network

    public static void connect() throws Exception { new Socket("127.0.0.1", Integer.getInteger("hostile.port")).getOutputStream().write(1); }
    public static void connectFar() throws Exception { try (Socket s = new Socket()) { s.connect(new InetSocketAddress("192.0.2.1", 80)); } }
    public static void datagram() throws Exception { try (DatagramSocket s = new DatagramSocket()) { s.send(new DatagramPacket(new byte[1], 1, InetAddress.getByName("192.0.2.1"), 9)); } }
    public static void server() throws Exception { ServerSocket s = new ServerSocket(0); KEPT.add(s); s.accept(); }
    public static void resolve() throws Exception { InetAddress.getByName("no-such-host.example.org"); }
    public static void readUrl() throws Exception { new URL("http://192.0.2.1/").openStream().read(); }

    // ---- Threads

    public static void threadBomb() { while (true) { daemon(Hostile::sleepQuietly); } }
    public static void spinningThread() { daemon(Hostile::spin); }
    public static void spinningJdkThread() { daemon(Hostile::spinInJdk); }
    public static void sleepingThread() { new Thread(Hostile::sleepQuietly).start(); }
    public static void spinInPool() { ForkJoinPool.commonPool().submit(Hostile::spin); }
    public static void spinInJdkPool() { ForkJoinPool.commonPool().submit(Hostile::spinInJdk); }
    public static void timer() { new Timer().schedule(new TimerTask() { @Override public void run() { spin(); } }, 1, 1); }
    public static void virtualThreads() throws Exception { Method start = Thread.class.getMethod("startVirtualThread", Runnable.class); for (int k = 0; k < 8; k++) { start.invoke(null, (Runnable) Hostile::spinInJdk); } }
    public static void interruptSelf() { Thread.currentThread().interrupt(); }
    public static void interruptOthers() { for (Thread other : all()) { other.interrupt(); } }
    @SuppressWarnings("removal") public static void stopOthers() { for (Thread other : all()) { try { Thread.class.getMethod("stop").invoke(other); } catch (Throwable e) { sink++; } } }
    @SuppressWarnings("removal") public static void suspendOthers() { for (Thread other : all()) { if (other != Thread.currentThread()) { try { Thread.class.getMethod("suspend").invoke(other); } catch (Throwable e) { sink++; } } } }
    public static void stopSelf() throws Exception { Thread.class.getMethod("stop").invoke(Thread.currentThread()); }
    public static void renameThreads() { for (Thread other : all()) { other.setName("x"); try { other.setPriority(Thread.MIN_PRIORITY); } catch (RuntimeException e) { sink++; } } }
    public static void deadlock() throws Exception {
        Object a = new Object();
        Object b = new Object();
        Thread other = daemon(() -> { synchronized (b) { pause(); synchronized (a) { sink++; } } });
        synchronized (a) { pause(); synchronized (b) { sink++; } }
        other.join();
    }
    public static void holdLoader() { Object loader = Hostile.class.getClassLoader(); daemon(() -> { synchronized (loader) { sleepQuietly(); } }); pause(); }
    public static void holdStreams() { PrintStream out = System.out; daemon(() -> { synchronized (out) { sleepQuietly(); } }); pause(); }

    // ---- Time

    public static void spin() { while (true) { sink++; } }
    public static void spinInJdk() { java.util.stream.LongStream.range(0, Long.MAX_VALUE).max(); }
    public static void sleep() throws Exception { Thread.sleep(100_000_000); }
    public static void waitForever() throws Exception { Object lock = new Object(); synchronized (lock) { lock.wait(); } }
    public static void park() { while (true) { LockSupport.park(); } }
    public static void joinSelf() throws Exception { Thread.currentThread().join(); }
    public static void swallowStop() { while (true) { try { spinInJdk(); } catch (Throwable t) { sink++; } } }
    public static void swallowSleep() { while (true) { try { Thread.sleep(1000); } catch (Throwable t) { sink++; } } }
    public static void swallowDeep() { try { swallowDeep(); } catch (Throwable t) { swallowDeep(); } finally { swallowDeep(); } }
    public static void uninterruptibleRead() throws Exception { new FileInputStream(descriptor(readEnd())).read(); }
    public static void regularExpression() { "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab".matches("(a+)+c"); }
    public static void slowToString() { throw new IllegalStateException() { @Override public String getMessage() { spinInJdk(); return ""; } }; }
    public static void slowTrace() { throw new IllegalStateException() { @Override public StackTraceElement[] getStackTrace() { spinInJdk(); return null; } }; }
    public static void slowCause() { throw new IllegalStateException() { @Override public synchronized Throwable getCause() { spin(); return null; } }; }
    public static void endlessCauses() { throw new IllegalStateException() { @Override public synchronized Throwable getCause() { return new IllegalStateException(super.getCause()); } }; }

    // ---- Memory and stack

    public static void hugeArray() { sink = new long[Integer.MAX_VALUE - 8].length; }
    public static void hugeTable() { sink = new long[100_000][150_000].length; }
    public static void fillHeap() { while (true) { KEPT.add(new long[10_000]); } }
    public static void fillHeapInThread() throws Exception { Thread t = new Thread(Hostile::fillHeap); t.start(); t.join(); }
    public static void fillHeapSwallowed() { while (true) { try { fillHeap(); } catch (Throwable t) { sink++; } } }
    public static void hugeString() { StringBuilder text = new StringBuilder("x"); while (true) { text.append(text); } }
    public static void hugeMessage() { StringBuilder text = new StringBuilder("x"); for (int k = 0; k < 19; k++) { text.append(text); } throw new IllegalStateException(text.toString()); }
    public static void internStrings() { for (int k = 0;; k++) { KEPT.add(("a string of some length " + k).intern()); } }
    public static void directBuffers() { while (true) { KEPT.add(ByteBuffer.allocateDirect(1 << 20)); } }
    public static void nativeMemory() throws Exception { for (int k = 0; k < 1000; k++) { unsafe("allocateMemory", new Class<?>[] {long.class}, 1L << 30); } }
    public static void metaspace() throws Exception {
        while (true) {
            ClassLoader loader = new URLClassLoader(new URL[0], Hostile.class.getClassLoader());
            KEPT.add(Proxy.newProxyInstance(loader, new Class<?>[] {Runnable.class, Comparable.class}, (p, m, a) -> null));
        }
    }
    public static void overflow() { overflow(); sink++; }
    public static void overflowSwallowed() { while (true) { try { overflow(); } catch (Throwable t) { sink++; } } }
    public static void overflowInInitialiser() { sink = Deep.VALUE; }
    public static void overflowInJdk() { StringBuilder text = new StringBuilder(); for (int k = 0; k < 100_000; k++) { text.append("ab"); } text.toString().matches("(a|b)*"); }
    public static void failedInitialiser() { sink = Failing.VALUE; }
    public static void finalizers() { for (int k = 0; k < 100; k++) { new Finalized(); } System.gc(); pause(); }

    // ---- State of the VM

    public static void setStreams() { System.setOut(null); System.setErr(new PrintStream(new Endless())); System.setIn(null); }
    public static void closeStreams() throws Exception { System.out.close(); System.err.close(); System.in.close(); }
    public static void closeDescriptors() throws Exception { new FileInputStream(FileDescriptor.in).close(); new FileOutputStream(FileDescriptor.out).close(); new FileOutputStream(FileDescriptor.err).close(); }
    public static void closeEverything() throws Exception { for (int fd = 0; fd < 64; fd++) { new FileOutputStream(descriptor(fd)).close(); } }
    public static void writeEverywhere() throws Exception { for (int fd = 0; fd < 64; fd++) { try { new FileOutputStream(descriptor(fd)).write(new byte[4096]); } catch (IOException e) { sink++; } } }
    public static void truncateMemory() throws Exception {
        for (File file : new File("/proc/self/fd").listFiles()) {
            try (RandomAccessFile open = new RandomAccessFile(file, "rw")) {
                if (Files.readSymbolicLink(file.toPath()).toString().contains("memfd")) { open.setLength(0); }
            } catch (IOException e) {
                sink++;
            }
        }
    }
    public static void floodAndThrow() throws Exception { byte[] block = new byte[1 << 20]; for (int k = 0; k < 40; k++) { new FileOutputStream(FileDescriptor.out).write(block); new FileOutputStream(FileDescriptor.err).write(block); } throw new IllegalStateException("behind the flood"); }
    public static void printEndlessly() throws Exception { byte[] block = new byte[1 << 16]; FileOutputStream out = new FileOutputStream(FileDescriptor.out); FileOutputStream err = new FileOutputStream(FileDescriptor.err); while (true) { out.write(block); err.write(block); } }
    @SuppressWarnings("removal") public static void securityManager() throws Exception { Class<?> type = Class.forName("java.lang.SecurityManager"); System.class.getMethod("setSecurityManager", type).invoke(null, type.getConstructor().newInstance()); }
    public static void setProperties() { System.setProperties(new Properties()); }
    public static void clearProperties() { System.getProperties().clear(); }
    public static void badProperties() { System.getProperties().put(new Object(), new Object()); System.setProperty("java.io.tmpdir", canary("").toString()); System.setProperty("user.dir", "/"); }
    public static void setDefaults() { Locale.setDefault(new Locale("tr", "TR")); TimeZone.setDefault(TimeZone.getTimeZone("Pacific/Apia")); }
    public static void uncaughtHandler() throws Exception { Thread.setDefaultUncaughtExceptionHandler((t, e) -> System.exit(9)); Thread t = new Thread(() -> { throw new IllegalStateException(); }); t.start(); t.join(); }
    public static void ownHandler() { Thread.currentThread().setUncaughtExceptionHandler((t, e) -> spin()); throw new IllegalStateException("handled"); }
    public static void contextLoader() { Thread.currentThread().setContextClassLoader(null); }
    public static void urlHandlers() { URL.setURLStreamHandlerFactory(protocol -> { throw new IllegalStateException("factory"); }); }
    public static void signals() throws Exception { Class<?> signal = Class.forName("sun.misc.Signal"); Class<?> handler = Class.forName("sun.misc.SignalHandler"); signal.getMethod("handle", signal, handler).invoke(null, signal.getConstructor(String.class).newInstance("HUP"), handler.getField("SIG_IGN").get(null)); }
    public static void throwNull() { throw null; }
    public static void throwOddly() { throw sneaky(new Odd()); }

    /** Fails unless the VM is as a candidate may expect it. */
    public static void intact() throws Exception {
        require(System.out != null && System.err != null && System.in != null, "streams");
        System.out.println("x");
        require(System.in.read() == -1, "standard input");
        require(System.getProperty("java.version") != null && System.getProperty("hostile.canary") != null, "properties");
        require(!System.getProperty("java.io.tmpdir").equals(System.getProperty("hostile.canary")), "temporary directory");
        require(Locale.getDefault().getLanguage().equals("en") || Locale.getDefault().getLanguage().isEmpty(), "locale " + Locale.getDefault());
        require(!TimeZone.getDefault().getID().equals("Pacific/Apia"), "time zone");
        require(!Thread.currentThread().isInterrupted(), "interrupted");
        require(Thread.currentThread().getContextClassLoader() == Hostile.class.getClassLoader(), "context class loader");
        require(KEPT.isEmpty() && sink == 0, "statics");
        require(new File(".").list().length == 0, "files");
        File made = File.createTempFile("temporary", null);
        require(made.delete(), "temporary file");
        Thread thread = new Thread(() -> sink++);
        thread.start();
        thread.join();
        require(sink == 1, "threads");
        for (int k = 0; k < 1000; k++) { sink++; }
    }

    // ---- Helpers

    static final class Deep {
        static final int VALUE = deep();
        private static int deep() { return deep() + 1; }
    }

    static final class Failing {
        static final int VALUE = Integer.parseInt("x");
    }

    static final class Finalized {
        @Override protected void finalize() { spin(); }
    }

    static final class Endless extends OutputStream {
        @Override public void write(int octet) { spin(); }
    }

    /** Everything that is asked of it fails. */
    static final class Odd extends Exception {
        private static final long serialVersionUID = 1;
        @Override public String getMessage() { throw new IllegalStateException("message"); }
        @Override public synchronized Throwable getCause() { return this; }
        @Override public StackTraceElement[] getStackTrace() { throw new Error("stack"); }
        @Override public String toString() { System.exit(1); return null; }
        @Override public boolean equals(Object other) { throw new IllegalStateException("equals"); }
        @Override public int hashCode() { throw new IllegalStateException("hash"); }
    }

    /** In the library that {@code hostile.library} names. */
    private static native int joinParentsGroup();
    private static native int leadSession();
    private static native int forgetParent();
    private static native int standStill();

    private static void attack(java.util.concurrent.Callable<Integer> attack) {
        try {
            System.load(System.getProperty("hostile.library"));
            sink += attack.call();
        } catch (Throwable e) {
            sink++;
        }
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> RuntimeException sneaky(Throwable t) throws T { throw (T) t; }

    private static Path canary(String name) { return Paths.get(System.getProperty("hostile.canary")).resolve(name); }
    private static void require(boolean holds, String what) { if (!holds) { throw new IllegalStateException(what); } }
    private static void pause() { try { Thread.sleep(30); } catch (InterruptedException e) { sink++; } }
    private static void sleepQuietly() { try { Thread.sleep(100_000_000); } catch (InterruptedException e) { sink++; } }
    private static void deleteQuietly() { canary("precious").toFile().delete(); }
    private static Thread daemon(Runnable body) { Thread t = new Thread(body); t.setDaemon(true); t.start(); return t; }
    private static Method handle(String name, Class<?>... types) throws Exception { return Class.forName("java.lang.ProcessHandle").getMethod(name, types); }
    private static void destroy(long pid) throws Exception { handle("destroyForcibly").invoke(((Optional<?>) handle("of", long.class).invoke(null, pid)).get()); }
    private static void raise(String name) throws Exception { Class<?> signal = Class.forName("sun.misc.Signal"); signal.getMethod("raise", signal).invoke(null, signal.getConstructor(String.class).newInstance(name)); Thread.sleep(100_000_000); }
    private static List<Thread> all() {
        ThreadGroup root = Thread.currentThread().getThreadGroup();
        while (root.getParent() != null) { root = root.getParent(); }
        Thread[] found = new Thread[1000];
        int count = root.enumerate(found);
        List<Thread> all = new ArrayList<>();
        for (int k = 0; k < count; k++) { all.add(found[k]); }
        return all;
    }

    /** The number of a pipe's descriptor that reading from blocks inside the kernel, for nobody writes to it. */
    private static int readEnd() throws Exception {
        KEPT.add(java.nio.channels.Pipe.open());
        java.util.TreeMap<Integer, String> pipes = new java.util.TreeMap<>();
        for (File file : new File("/proc/self/fd").listFiles()) {
            try {
                String leadsTo = Files.readSymbolicLink(file.toPath()).toString();
                if (leadsTo.startsWith("pipe:")) { pipes.put(Integer.parseInt(file.getName()), leadsTo); }
            } catch (IOException e) {
                sink++;
            }
        }
        for (int fd : pipes.keySet()) {
            if (pipes.get(fd).equals(pipes.get(pipes.lastKey()))) { return fd; }
        }
        return -1;
    }

    private static Object unsafe() throws Exception { Field field = Class.forName("sun.misc.Unsafe").getDeclaredField("theUnsafe"); field.setAccessible(true); return field.get(null); }
    private static Object unsafe(String name, Class<?>[] types, Object... args) throws Exception { return unsafe().getClass().getMethod(name, types).invoke(unsafe(), args); }

    /** A descriptor by number, against the rules. */
    private static FileDescriptor descriptor(int number) throws Exception {
        FileDescriptor made = new FileDescriptor();
        // The number is the first field behind the header of the object.
        unsafe("putInt", new Class<?>[] {Object.class, long.class, int.class}, made, 12L, number);
        return made;
    }

    private Hostile() {}
}
