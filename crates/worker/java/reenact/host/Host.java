package reenact.host;

/** What the Java side asks the process around it. */
public final class Host {
    private Host() {}

    /** The binary name of the class with this id of the splicer. */
    static native String staticsClass(int id);

    /** Defines a class in any loader. The internal name may be null: then the class file tells. */
    static native Class<?> define(ClassLoader loader, String name, byte[] classFile);

    /** Defines a class in any loader and makes an instance of it without calling a constructor. */
    static native Invoker invoker(ClassLoader loader, byte[] classFile);

    /**
     * What the VM has noted about where an exception was made; null if that is not to be had, or if the exception has been
     * given another stack.
     */
    static native Object backtrace(Throwable thrown);

    /** Whether exceptions of this class leave it to the JDK to tell their stack. */
    static native boolean hasPlainStack(Class<?> type);

    /** A candidate has ended; removes what it has left outside the VM. Says whether files are left open. */
    static native boolean caseEnded();

    /** Defines {@code reenact.user.Caller} in a loader of the program. */
    static native Class<?> defineCaller(ClassLoader loader);

    /** How many classes are unusable because their initialisers failed; those of such loaders do not count. */
    static native int brokenClasses(Class<?> disposableLoader);

    /** Throws an exception in another thread, wherever it is; does nothing if the thread is gone. */
    static native void stop(Thread thread, Throwable exception);

    /** Ends all conversations over the network, and the waiting for some, which no exception does. */
    static native void hangUp();

    /** The class with this id of the splicer cannot be initialised again: its initialiser fails the second time. */
    static native void initialisedOnce(int id);

    /** The id of the class with this binary name, or -1. */
    static native int staticsId(String binaryName);

    /** Whether what such a static field holds can only be replaced, not changed, as the splicer sees it. */
    static native boolean isConstant(String name, String descriptor);

    /** What a value probe reads by way of its values, as {@link Derivation#parse} takes it. */
    static native String derivations(int probe);

    /** The VM's number of an instance field of this class or one above it; 0 if there is none. */
    static native long field(Class<?> type, String name, String descriptor);

    /** The same for a static field; 0 also if the class is not initialised. */
    static native long staticField(Class<?> type, String name, String descriptor);

    /** Reads a field that holds references. It must be one of the object. */
    static native Object fieldObject(Object object, long field);

    /** Reads a field of the primitive type with this descriptor; of floating point numbers the bits. */
    static native long fieldBits(Object object, long field, int descriptor);

    /** Likewise. */
    static native Object staticObject(Class<?> type, long field);

    /** Likewise. */
    static native long staticBits(Class<?> type, long field, int descriptor);
}
