package reenact.confirm;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/**
 * The JDK's own compiler, kept warm: reads arguments of javac from standard input, runs it, and answers on standard
 * output, until the input ends. The second compilation takes a tenth of the first one's time.
 *
 * A request is the number of arguments and then the arguments, an answer is javac's status and what it said; every text is
 * its length in bytes and its UTF-8.
 */
public final class Compiler {
    private static final int NO_COMPILER = -1;

    private Compiler() {}

    public static void main(String[] none) throws IOException {
        DataInputStream in = new DataInputStream(new BufferedInputStream(new FileInputStream(FileDescriptor.in)));
        DataOutputStream out = new DataOutputStream(new FileOutputStream(FileDescriptor.out));
        // Whatever else is printed must not get between the answers.
        System.setOut(System.err);
        JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
        try {
            while (true) {
                String[] arguments = new String[in.readInt()];
                for (int i = 0; i < arguments.length; i++) {
                    byte[] text = new byte[in.readInt()];
                    in.readFully(text);
                    arguments[i] = new String(text, "UTF-8");
                }
                answer(javac, arguments, out);
            }
        } catch (EOFException end) {
            Runtime.getRuntime().halt(0);
        }
    }

    private static void answer(JavaCompiler javac, String[] arguments, DataOutputStream out) throws IOException {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        int status = javac == null ? NO_COMPILER : javac.run(null, said, said, arguments);
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        DataOutputStream answer = new DataOutputStream(whole);
        answer.writeInt(status);
        answer.writeInt(said.size());
        said.writeTo(answer);
        whole.writeTo(out);
        out.flush();
    }
}
