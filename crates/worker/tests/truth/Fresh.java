import java.io.DataOutputStream;
import java.io.FileOutputStream;

/** Runs the main method of a test in this fresh VM and writes down what escaped it. Arguments: the class, the file. */
public final class Fresh {
    public static void main(String[] args) throws Throwable {
        Throwable thrown = null;
        try {
            Class.forName(args[0]).getMethod("main", String[].class).invoke(null, (Object) new String[0]);
        } catch (java.lang.reflect.InvocationTargetException e) {
            thrown = e.getCause();
        }
        try (DataOutputStream out = new DataOutputStream(new FileOutputStream(args[1]))) {
            for (int depth = 0; thrown != null && depth < 24; depth++) {
                out.writeByte(1);
                text(out, thrown.getClass().getName());
                out.writeByte(message(thrown) == null ? 0 : 1);
                text(out, message(thrown) == null ? "" : message(thrown));
                StackTraceElement[] stack = thrown.getStackTrace();
                out.writeInt(stack.length);
                for (StackTraceElement frame : stack) {
                    text(out, frame.getClassName());
                    text(out, frame.getMethodName());
                    out.writeInt(frame.getLineNumber());
                }
                thrown = thrown.getCause();
            }
            out.writeByte(0);
        }
        Runtime.getRuntime().halt(0);
    }

    private static String message(Throwable thrown) {
        try {
            return thrown.getLocalizedMessage();
        } catch (Throwable e) {
            return null;
        }
    }

    private static void text(DataOutputStream out, String text) throws Exception {
        byte[] bytes = text.getBytes("UTF-8");
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private Fresh() {}
}
