import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Tries to do damage, one kind after the other, and prints for each whether it could. Arguments: a directory it must not touch (with a file `precious` and an
 * empty directory `empty` in it), the scratch directory, a port that someone outside listens on, and the id of a process
 * outside; with the first two only, it starts as many threads as it can.
 */
public final class Damage {
    interface Attempt { void run() throws Throwable; }

    private static final Map<String, Attempt> attempts = new LinkedHashMap<>();

    public static void main(String[] args) {
        Path user = Paths.get(args[0]);
        Path precious = user.resolve("precious");
        Path scratch = Paths.get(args[1]);
        if (args.length == 2) {
            threadBomb();
            return;
        }
        int port = Integer.parseInt(args[2]);
        String pid = args[3];

        files(user, precious, scratch);
        network(port);
        processes(user, pid);
        attempts.put("ok: write scratch", () -> {
            Path made = Files.createDirectories(scratch.resolve("a/b")).resolve("c");
            Files.write(made, new byte[1000]);
            Files.move(made, scratch.resolve("d"));
            Files.delete(scratch.resolve("d"));
        });
        attempts.put("ok: write working directory", () -> Files.write(Paths.get("relative"), new byte[10]));
        attempts.put("ok: change attributes", () -> {
            if (args.length > 4) { Files.setLastModifiedTime(Files.createFile(scratch.resolve("old")), FileTime.fromMillis(0)); }
        });
        attempts.put("read user file", () -> Files.readAllBytes(precious));
        attempts.put("ok: threads", () -> {
            Thread thread = new Thread(() -> { });
            thread.start();
            thread.join();
        });
        attempts.put("ok: temporary file", () -> File.createTempFile("temporary", null).delete());
        attempts.put("fill disk", () -> {
            try (FileOutputStream out = new FileOutputStream(scratch.resolve("large").toFile())) {
                byte[] block = new byte[1 << 20];
                for (int k = 0; k < 300; k++) { out.write(block); }
            } finally {
                Files.deleteIfExists(scratch.resolve("large"));
            }
        });
        attempts.put("native memory", () -> {
            Class<?> type = Class.forName("sun.misc.Unsafe");
            java.lang.reflect.Field field = type.getDeclaredField("theUnsafe");
            field.setAccessible(true);
            Object unsafe = field.get(null);
            java.lang.reflect.Method allocate = type.getMethod("allocateMemory", long.class);
            allocate.invoke(unsafe, 100L << 30);
        });

        for (Map.Entry<String, Attempt> attempt : attempts.entrySet()) {
            String result = "done";
            try {
                attempt.getValue().run();
            } catch (Throwable denied) {
                Throwable cause = denied instanceof java.lang.reflect.InvocationTargetException ? denied.getCause() : denied;
                result = "denied by " + cause.getClass().getSimpleName();
            }
            System.out.println(attempt.getKey() + "\t" + result);
        }
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }

    private static void files(Path user, Path precious, Path scratch) {
        attempts.put("overwrite", () -> Files.write(precious, new byte[] {1}, StandardOpenOption.WRITE));
        attempts.put("append", () -> Files.write(precious, new byte[] {1}, StandardOpenOption.APPEND));
        attempts.put("truncate", () -> { try (FileChannel c = FileChannel.open(precious, StandardOpenOption.WRITE)) { c.truncate(0); } });
        attempts.put("truncate by open", () -> new FileOutputStream(precious.toFile()).close());
        attempts.put("random access", () -> new RandomAccessFile(precious.toFile(), "rw").close());
        attempts.put("map", () -> { try (FileChannel c = FileChannel.open(precious, StandardOpenOption.READ, StandardOpenOption.WRITE)) { c.map(FileChannel.MapMode.READ_WRITE, 0, 1).put((byte) 1); } });
        attempts.put("create", () -> Files.createFile(user.resolve("new")));
        attempts.put("create directory", () -> Files.createDirectory(user.resolve("new-directory")));
        attempts.put("delete", () -> Files.delete(precious));
        attempts.put("delete by File", () -> { if (!precious.toFile().delete()) { throw new IOException("false"); } });
        attempts.put("delete directory", () -> Files.delete(user.resolve("empty")));
        attempts.put("rename", () -> Files.move(precious, user.resolve("other"), StandardCopyOption.ATOMIC_MOVE));
        attempts.put("move to scratch", () -> Files.move(precious, scratch.resolve("stolen"), StandardCopyOption.ATOMIC_MOVE));
        attempts.put("replace", () -> { Files.write(scratch.resolve("bad"), new byte[3]); Files.move(scratch.resolve("bad"), precious, StandardCopyOption.REPLACE_EXISTING); });
        attempts.put("hard link out", () -> Files.createLink(user.resolve("link"), scratch));
        attempts.put("hard link in", () -> { Files.createLink(scratch.resolve("in"), precious); Files.write(scratch.resolve("in"), new byte[1]); });
        attempts.put("write through symlink", () -> { Path link = scratch.resolve("sym"); Files.createSymbolicLink(link, precious); Files.write(link, new byte[] {1}); });
        attempts.put("symlink out", () -> Files.createSymbolicLink(user.resolve("sym"), scratch));
        attempts.put("chmod", () -> Files.setPosixFilePermissions(precious, PosixFilePermissions.fromString("rwxrwxrwx")));
        attempts.put("set modified time", () -> Files.setLastModifiedTime(precious, FileTime.fromMillis(0)));
        attempts.put("set read only", () -> { if (!precious.toFile().setReadOnly()) { throw new IOException("false"); } });
        attempts.put("write /proc", () -> Files.write(Paths.get("/proc/self/oom_score_adj"), "1000".getBytes()));
        attempts.put("write /dev/shm", () -> Files.createTempFile(Paths.get("/dev/shm"), "a", "b"));
    }

    private static void network(int port) {
        attempts.put("connect out", () -> new Socket("127.0.0.1", port).close());
        attempts.put("connect far", () -> { try (Socket s = new Socket()) { s.connect(new InetSocketAddress("192.0.2.1", 80), 500); } });
        attempts.put("send datagram", () -> {
            try (DatagramSocket socket = new DatagramSocket()) {
                socket.send(new DatagramPacket(new byte[1], 1, InetAddress.getByName("192.0.2.1"), 9));
            }
        });
        // Allowed exactly in a network of one's own.
        attempts.put("net: loopback", () -> {
            try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"));
                    Socket client = new Socket("127.0.0.1", server.getLocalPort());
                    Socket accepted = server.accept()) {
                client.getOutputStream().write(7);
                if (accepted.getInputStream().read() != 7) { throw new IOException("lost"); }
            }
        });
    }

    private static void processes(Path user, String pid) {
        attempts.put("exec", () -> new ProcessBuilder("/bin/touch", user.resolve("touched").toString()).start().waitFor());
        attempts.put("exec java", () -> new ProcessBuilder(System.getProperty("java.home") + "/bin/java", "-version").start().waitFor());
        attempts.put("signal", () -> {
            // ProcessHandle of Java 9 and later; the bytecode is that of 8.
            Class<?> type = Class.forName("java.lang.ProcessHandle");
            Object handle = ((java.util.Optional<?>) type.getMethod("of", long.class).invoke(null, Long.parseLong(pid))).get();
            if (!(Boolean) type.getMethod("destroyForcibly").invoke(handle)) { throw new IOException("false"); }
        });
        attempts.put("load library", () -> {
            Path library = user.resolve("library.so");
            System.load(library.toString());
        });
    }

    /** May well end the VM. */
    private static void threadBomb() {
        for (int k = 0; k < 100_000; k++) {
            Thread thread = new Thread(() -> { try { Thread.sleep(100_000); } catch (InterruptedException end) { } });
            thread.setDaemon(true);
            thread.start();
        }
    }

    private Damage() {}
}
