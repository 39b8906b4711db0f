package reenact.host;

/** Defines a class in a given loader, which only the embedding side can do on JDK 9 and later. */
public interface Definer {
    Class<?> define(ClassLoader loader, String binaryName, byte[] classFile);
}
