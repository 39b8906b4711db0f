package field;

import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;

/** Programs that end in all the ways in which programs do. The first argument says which. */
public class Program {
    public static void main(String[] args) throws Exception {
        System.out.println("start");
        switch (args[0]) {
            case "crash":
                new Shop().order(args[1], Integer.parseInt(args[2]));
                break;
            case "thread":
                Thread thread = new Thread(() -> new Shop().order(null, 1));
                thread.start();
                thread.join();
                break;
            case "exit":
                new Shop().count("abc");
                System.exit(3);
                break;
            case "halt":
                new Shop().count("abc");
                Runtime.getRuntime().halt(4);
                break;
            case "wait":
                for (int i = 0; i < 100000; i++) {
                    new Shop().count("abc");
                }
                System.out.println("ready");
                Thread.sleep(600000);
                break;
            case "overflow":
                System.out.println(new Shop().deep(1));
                break;
            case "caught":
                try {
                    new Shop().deep(1);
                } catch (StackOverflowError error) {
                    System.out.println("caught");
                }
                break;
            case "memory":
                List<long[]> all = new ArrayList<>();
                while (true) {
                    all.add(new long[1 << 20]);
                }
            case "threads":
                List<Thread> threads = new ArrayList<>();
                for (int i = 0; i < 500; i++) {
                    threads.add(new Thread(() -> new Shop().count("thread")));
                }
                for (Thread one : threads) {
                    one.start();
                }
                for (Thread one : threads) {
                    one.join();
                }
                break;
            case "loaders":
                URL[] path = {new java.io.File(args[1]).toURI().toURL()};
                int sum = 0;
                for (int i = 0; i < 200; i++) {
                    try (URLClassLoader loader = new URLClassLoader(path, null)) {
                        Class<?> shop = loader.loadClass("field.Shop");
                        Object made = shop.getDeclaredConstructor().newInstance();
                        sum += (Integer) shop.getMethod("count", String.class).invoke(made, "four");
                    }
                }
                System.out.println(sum);
                break;
            case "later":
                new Shop().count("abc");
                System.out.println("ready");
                Thread.sleep(2500);
                new Shop().order("abcd", 7000);
                break;
            case "busy":
                // Often enough to be noticed, long enough for the recorder to do something about it.
                int letters = 0;
                for (long end = System.nanoTime() + 3_000_000_000L; System.nanoTime() < end; ) {
                    letters = new Shop().often("some text");
                }
                System.out.println(letters);
                new Shop().order("abcd", 7000);
                break;
            case "pool":
                java.util.concurrent.ExecutorService pool = java.util.concurrent.Executors.newFixedThreadPool(1);
                for (int i = 0; i < 3; i++) {
                    try {
                        pool.submit(() -> new Shop().order("abcd", 7000)).get();
                    } catch (java.util.concurrent.ExecutionException caught) {
                        System.out.println(caught.getCause().getMessage());
                    }
                }
                pool.shutdown();
                break;
            case "again":
                // As a server that goes on; often enough for the recorder to be ready.
                for (int i = 0; i < 12; i++) {
                    Thread request = new Thread(() -> new Shop().order("abcd", 7000));
                    request.start();
                    request.join();
                    Thread.sleep(300);
                }
                break;
            case "counting":
                // Until it is killed.
                for (int i = 0; i >= 0; i++) {
                    new Shop().number("x" + i);
                }
                break;
            case "library":
                library(args[1]);
                break;
            default:
                throw new IllegalArgumentException(args[0]);
        }
        System.out.println("end");
    }

    /** Links every class of a jar, which verifies it. */
    private static void library(String jar) throws Exception {
        int linked = 0;
        URL[] path = {new java.io.File(jar).toURI().toURL()};
        try (java.util.jar.JarFile file = new java.util.jar.JarFile(jar); URLClassLoader loader = new URLClassLoader(path)) {
            for (java.util.jar.JarEntry entry : java.util.Collections.list(file.entries())) {
                String name = entry.getName();
                if (!name.endsWith(".class")) {
                    continue;
                }
                try {
                    name = name.substring(0, name.length() - 6).replace('/', '.');
                    Class.forName(name, false, loader).getDeclaredConstructors();
                    linked++;
                } catch (LinkageError error) {
                    System.out.println(name + " " + error.getClass());
                }
            }
        }
        System.out.println(linked);
    }
}
