package reenact.host;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;

/** What all threads and callbacks of one candidate share. */
final class Candidate {
    private final File scratch;
    /** Over: callbacks that are still called, by threads that were left behind, must not go on. */
    volatile boolean isOver;
    /** The top-level statement that runs, or ran last. Threads of the candidate read it while the first one waits for them. */
    int statement;
    /** Why some nested block could not be carried out, even if the program swallowed that. */
    volatile Unlinkable unlinkable;
    /** The exception to be thrown at the end, and the top-level statement that it came from. */
    private Throwable kept;
    private int keptAt;
    /** What ends a thread is kept. */
    volatile boolean capturesThreads;
    /** Threads and callbacks may keep exceptions, for which the end waits. */
    boolean keepsExceptions;
    private int directories;
    /** The methods of declared classes: class key, then method, then where the body starts. */
    private int[] declaredKeys;
    private int[][] declaredBodies;
    private byte[] in;

    Candidate(File scratch) {
        this.scratch = scratch;
    }

    synchronized void keep(Throwable thrown) {
        if (kept == null) {
            kept = thrown;
            keptAt = statement;
        }
    }

    /** From a thread or a callback; it counts as thrown by the last statement, which waits for it. Null is nothing to keep. */
    synchronized void keepFromOutside(Throwable thrown) {
        if (kept == null && thrown != null) {
            kept = thrown;
            keptAt = -1;
        }
    }

    synchronized boolean hasKept() {
        return kept != null;
    }

    synchronized void throwKept() throws Throwable {
        if (kept != null) {
            statement = keptAt < 0 ? statement : keptAt;
            throw kept;
        }
    }

    void declare(byte[] batch, int[] keys, int[][] bodies) {
        in = batch;
        declaredKeys = keys;
        declaredBodies = bodies;
    }

    /** A cursor at the body of a declared method, or null if this candidate does not have that class. */
    Evaluator declared(int key, int method, Symbols symbols) {
        for (int i = 0; declaredKeys != null && i < declaredKeys.length; i++) {
            if (declaredKeys[i] == key) {
                return new Evaluator(in, declaredBodies[i][method], symbols, this);
            }
        }
        return null;
    }

    /** A fresh directory; the same names in every run. */
    synchronized File directory() throws IOException {
        File directory = new File(scratch, "temporary-" + directories++);
        if (!directory.mkdirs()) {
            delete(directory);
            if (!directory.mkdirs()) {
                throw new IOException("cannot create " + directory);
            }
        }
        return directory;
    }

    static void write(File file, byte[] content) throws IOException {
        File parent = file.getParentFile();
        if (!parent.isDirectory() && !parent.mkdirs()) {
            throw new IOException("cannot create " + parent);
        }
        FileOutputStream out = new FileOutputStream(file);
        try {
            out.write(content);
        } finally {
            out.close();
        }
    }

    /** Deletes the temporary files, and what the program may have put beside them. */
    void clean() {
        for (int i = 0; i < directories; i++) {
            delete(new File(scratch, "temporary-" + i));
        }
    }

    private static void delete(File file) {
        // A link is not followed: it can lead anywhere.
        if (!isLink(file)) {
            File[] below = file.listFiles();
            for (int i = 0; below != null && i < below.length; i++) {
                delete(below[i]);
            }
        }
        file.delete();
    }

    private static boolean isLink(File file) {
        return java.nio.file.Files.isSymbolicLink(file.toPath());
    }
}
