import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import javax.tools.ToolProvider;

/**
 * Compiles and runs crashes and prints what each throws, causes included, with the bytecode index of each frame. Argument: a file
 * with a line for each crash: its id, its directory with a `Crash.java`, its class path.
 */
public class Reproduce {
    public static void main(String[] args) throws Exception {
        for (String line : Files.readAllLines(Path.of(args[0]))) {
            String[] parts = line.split("\t");
            run(parts[0], parts[1], parts[2]);
        }
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }

    static void run(String id, String directory, String classPath) throws Exception {
        List<String> options = List.of("-nowarn", "-Xlint:none", "-proc:none", "-cp", classPath, "-d", directory, directory + "/Crash.java");
        if (ToolProvider.getSystemJavaCompiler().run(null, System.err, System.err, options.toArray(new String[0])) != 0) {
            System.out.println("=== " + id + "\ncannot be compiled\n---");
            return;
        }
        String[] files = (directory + "/" + File.pathSeparator + classPath).split(File.pathSeparator);
        URL[] urls = Arrays.stream(files).map(Reproduce::url).toArray(URL[]::new);
        ClassLoader loader = new URLClassLoader(urls);
        Thread.currentThread().setContextClassLoader(loader);
        java.lang.reflect.Method crash = Class.forName("Crash", true, loader).getDeclaredMethod("crash");
        crash.setAccessible(true);
        try {
            crash.invoke(null);
            System.out.println("=== " + id + "\nnothing was thrown\n---");
        } catch (java.lang.reflect.InvocationTargetException e) {
            for (Throwable thrown = e.getCause(); thrown != null; thrown = thrown.getCause()) print(id, thrown);
        }
    }

    static void print(String id, Throwable thrown) {
        String indices = Bytecodes.of(thrown);
        System.out.println("=== " + id + "\n" + thrown.getClass().getName());
        for (StackTraceElement frame : thrown.getStackTrace()) System.out.println("\tat " + frame);
        System.out.println("---" + indices);
    }

    static URL url(String file) {
        try {
            return new File(file).toURI().toURL();
        } catch (java.net.MalformedURLException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
