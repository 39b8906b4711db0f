package reenact.host;

/** Defines a class in a given loader, which only the embedding side can do on JDK 9 and later. */
public interface Definer {
    /** @param binaryName may be null: then the class file tells */
    Class<?> define(ClassLoader loader, String binaryName, byte[] classFile);

    /** Defines a class without constructors, which it does not need, and makes an instance of it. */
    Invoker invoker(ClassLoader loader, byte[] classFile);
}
