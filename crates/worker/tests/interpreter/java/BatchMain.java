package reenact.host;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;

/**
 * A worker for tests: batches from standard input, answers to standard output, each with its length before it.
 * Arguments: the class path of the program, a scratch directory.
 */
public final class BatchMain implements Runnable {
    static final class Program extends URLClassLoader {
        Program(URL[] path) {
            super(path, BatchMain.class.getClassLoader());
        }

        Class<?> define(String name, byte[] bytes) {
            return defineClass(name, bytes, 0, bytes.length);
        }
    }

    private final String[] args;

    private BatchMain(String[] args) {
        this.args = args;
    }

    /** Candidates get a small stack, so that they overflow it quickly. */
    public static void main(String[] args) throws InterruptedException {
        Thread thread = new Thread(null, new BatchMain(args), "candidates", 512 << 10);
        thread.start();
        thread.join();
        Runtime.getRuntime().halt(0);
    }

    @Override
    public void run() {
        try {
            work();
        } catch (Throwable t) {
            t.printStackTrace();
            Runtime.getRuntime().halt(1);
        }
    }

    private void work() throws IOException, ReflectiveOperationException {
        DataInputStream in = new DataInputStream(System.in);
        DataOutputStream out = new DataOutputStream(System.out);
        start();
        ByteBuffer answers = ByteBuffer.allocateDirect(4 << 20);
        for (int first = in.read(); first >= 0; first = in.read()) {
            byte[] batch = new byte[first << 24 | in.readUnsignedByte() << 16 | in.readUnsignedShort()];
            in.readFully(batch);
            answers.clear();
            for (int done = Interpreter.run(batch, answers); done > 0; done = Interpreter.root(answers)) {
                byte[] bytes = new byte[answers.position()];
                answers.flip();
                answers.get(bytes);
                answers.clear();
                out.writeInt(bytes.length);
                out.write(bytes);
            }
            out.writeInt(0);
            out.flush();
        }
    }

    /** Without calling a constructor. */
    private static Object instance(Class<?> type) {
        try {
            Class<?> unsafe = Class.forName("sun.misc.Unsafe");
            Field field = unsafe.getDeclaredField("theUnsafe");
            field.setAccessible(true);
            return unsafe.getMethod("allocateInstance", Class.class).invoke(field.get(null), type);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private void start() throws IOException, ReflectiveOperationException {
        String[] path = args[0].isEmpty() ? new String[0] : args[0].split(File.pathSeparator);
        URL[] urls = new URL[path.length];
        for (int i = 0; i < path.length; i++) {
            urls[i] = new File(path[i]).toURI().toURL();
        }
        final Program program = new Program(urls);
        Definer definer = new Definer() {
            @Override
            public Class<?> define(ClassLoader loader, String name, byte[] bytes) {
                return program.define(name, bytes);
            }

            @Override
            public Invoker invoker(ClassLoader loader, byte[] bytes) {
                return (Invoker) instance(program.define(null, bytes));
            }
        };
        byte[] caller;
        try (InputStream resource = BatchMain.class.getResourceAsStream("/reenact/user/Caller.class")) {
            caller = new byte[resource.available()];
            new DataInputStream(resource).readFully(caller);
        }
        Interpreter.start(program, definer, program.define("reenact.user.Caller", caller), null, args[1]);
    }
}
