import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Classes in bulk: taken out of jars and modules into one file, and linked (hence verified) from such a file. */
public final class Corpus {
    public static void main(String[] args) throws Throwable {
        switch (args[0]) {
            case "dump":
                dump(Paths.get(args[1]), args[2]);
                break;
            case "link":
                link(read(Paths.get(args[1])));
                break;
            case "link-module":
                linkModule(Files.readAllLines(Paths.get(args[1])));
                break;
            default:
                throw new IllegalArgumentException(args[0]);
        }
    }

    /** From a jar, or from `module:NAME` of the running JDK. */
    private static void dump(Path to, String from) throws IOException {
        try (DataOutputStream out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(to)))) {
            if (from.startsWith("module:")) {
                FileSystem image = FileSystems.getFileSystem(URI.create("jrt:/"));
                dumpTree(image.getPath("/modules", from.substring("module:".length())), out);
            } else {
                try (FileSystem jar = FileSystems.newFileSystem(Paths.get(from), (ClassLoader) null)) {
                    dumpTree(jar.getPath("/"), out);
                }
            }
        }
    }

    private static void dumpTree(Path root, DataOutputStream out) throws IOException {
        List<Path> files = new ArrayList<>();
        try (Stream<Path> all = Files.walk(root)) {
            all.filter(p -> p.toString().endsWith(".class")).forEach(files::add);
        }
        Collections.sort(files);
        for (Path file : files) {
            String name = root.relativize(file).toString();
            if (name.endsWith("module-info.class") || name.startsWith("META-INF")) {
                continue;
            }
            byte[] bytes = Files.readAllBytes(file);
            out.writeUTF(name.substring(0, name.length() - ".class".length()));
            out.writeInt(bytes.length);
            out.write(bytes);
        }
    }

    private static Map<String, byte[]> read(Path file) throws IOException {
        Map<String, byte[]> classes = new LinkedHashMap<>();
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
            while (true) {
                String name;
                try {
                    name = in.readUTF();
                } catch (EOFException end) {
                    return classes;
                }
                byte[] bytes = new byte[in.readInt()];
                in.readFully(bytes);
                classes.put(name.replace('/', '.'), bytes);
            }
        }
    }

    /** Prints a line for each class: its name and `ok`, or why it could not be linked. */
    private static void link(Map<String, byte[]> classes) {
        ClassLoader loader = new ClassLoader(Corpus.class.getClassLoader()) {
            @Override
            protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
                synchronized (getClassLoadingLock(name)) {
                    byte[] bytes = classes.get(name);
                    if (bytes == null) {
                        return super.loadClass(name, resolve);
                    }
                    Class<?> known = findLoadedClass(name);
                    return known != null ? known : defineClass(name, bytes, 0, bytes.length);
                }
            }
        };
        report(classes.keySet(), loader);
    }

    private static void linkModule(List<String> names) {
        report(names, null);
    }

    private static void report(Iterable<String> names, ClassLoader loader) {
        StringBuilder out = new StringBuilder();
        for (String name : names) {
            String result = "ok";
            try {
                // Asking for the methods links the class, and linking verifies it.
                Class.forName(name, false, loader).getDeclaredMethods();
            } catch (Throwable refused) {
                result = String.valueOf(refused).split("\n")[0];
            }
            out.append(name).append('\t').append(result).append('\n');
        }
        System.out.print(out);
    }
}
