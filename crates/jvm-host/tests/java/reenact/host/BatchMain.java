package reenact.host;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;

/**
 * A worker for tests: batches from standard input, answers to standard output, each with its length before it.
 * Arguments: the class path of the program.
 */
public final class BatchMain {
    static final class Program extends URLClassLoader {
        Program(URL[] path) {
            super(path, BatchMain.class.getClassLoader());
        }

        Class<?> define(String name, byte[] bytes) {
            return defineClass(name, bytes, 0, bytes.length);
        }
    }

    public static void main(String[] args) throws Throwable {
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
        };
        DataInputStream in = new DataInputStream(System.in);
        DataOutputStream out = new DataOutputStream(System.out);
        byte[] caller;
        try (InputStream resource = BatchMain.class.getResourceAsStream("/reenact/user/Caller.class")) {
            caller = new byte[resource.available()];
            new DataInputStream(resource).readFully(caller);
        }
        Class<?> defined = program.define("reenact.user.Caller", caller);
        Interpreter.start(program, definer, (MethodHandles.Lookup) defined.getMethod("lookup").invoke(null), null);
        ByteBuffer answers = ByteBuffer.allocate(8 << 20);
        while (true) {
            int length = in.read();
            if (length < 0) {
                return;
            }
            length = length << 24 | in.readUnsignedByte() << 16 | in.readUnsignedShort();
            byte[] batch = new byte[length];
            in.readFully(batch);
            answers.clear();
            int done = Interpreter.run(batch, answers);
            while (done > 0) {
                out.writeInt(answers.position());
                out.write(answers.array(), 0, answers.position());
                answers.clear();
                done = Interpreter.resume(answers);
            }
            out.writeInt(0);
            out.flush();
        }
    }
}
