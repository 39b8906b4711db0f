package reenact.host;

/** Calls one member of the program, as compiled code would. Its subclasses are emitted, one per member. */
public abstract class Invoker {
    /** Where the initialiser of a subclass leaves its only instance. */
    public static Invoker made;

    /** @param args all of them, the receiver first */
    public abstract Object call(Object[] args) throws Throwable;
}
