package reenact.host;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.security.cert.Certificate;
import java.util.Enumeration;
import java.util.HashMap;

/**
 * The program's classes once more, none of them initialised: for candidates whose crash is in a static initialiser,
 * which runs once per class. Class files and resources come from the class path as the system class loader finds it;
 * they are read once and kept.
 */
final class FreshLoader extends ClassLoader {
    private static final HashMap<String, ClassFile> FILES = new HashMap<String, ClassFile>();
    private static final HashMap<String, ProtectionDomain> DOMAINS = new HashMap<String, ProtectionDomain>();

    private final ClassLoader program;

    FreshLoader(ClassLoader program) {
        super(program.getParent());
        this.program = program;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        ClassFile file = file(name);
        if (file == null) {
            throw new ClassNotFoundException(name);
        }
        int dot = name.lastIndexOf('.');
        if (dot > 0 && getPackage(name.substring(0, dot)) == null) {
            definePackage(name.substring(0, dot), null, null, null, null, null, null, null);
        }
        return defineClass(name, file.bytes, 0, file.bytes.length, file.domain);
    }

    @Override
    protected URL findResource(String name) {
        return program.getResource(name);
    }

    @Override
    protected Enumeration<URL> findResources(String name) throws IOException {
        return program.getResources(name);
    }

    private ClassFile file(String name) {
        synchronized (FILES) {
            ClassFile known = FILES.get(name);
            if (known == null && !FILES.containsKey(name)) {
                known = read(name.replace('.', '/') + ".class");
                FILES.put(name, known);
            }
            return known;
        }
    }

    private ClassFile read(String path) {
        URL url = program.getResource(path);
        if (url == null) {
            return null;
        }
        try {
            InputStream in = url.openStream();
            try {
                ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                byte[] block = new byte[8192];
                for (int length = in.read(block); length > 0; length = in.read(block)) {
                    bytes.write(block, 0, length);
                }
                return new ClassFile(bytes.toByteArray(), domain(url, path));
            } finally {
                in.close();
            }
        } catch (IOException e) {
            return null;
        }
    }

    /** Programs ask where their classes are from: the jar or the directory that the class was found in. */
    private static ProtectionDomain domain(URL url, String path) throws MalformedURLException {
        String text = url.toString();
        String root = text.substring(0, text.length() - path.length());
        if (root.startsWith("jar:") && root.endsWith("!/")) {
            root = root.substring("jar:".length(), root.length() - "!/".length());
        }
        ProtectionDomain known = DOMAINS.get(root);
        if (known == null) {
            known = new ProtectionDomain(new CodeSource(new URL(root), (Certificate[]) null), null);
            DOMAINS.put(root, known);
        }
        return known;
    }

    private static final class ClassFile {
        final byte[] bytes;
        final ProtectionDomain domain;

        ClassFile(byte[] bytes, ProtectionDomain domain) {
            this.bytes = bytes;
            this.domain = domain;
        }
    }
}
