package reenact.host;

/** Calls one member of the program, as compiled code would. Its subclasses are emitted, one per member. */
public abstract class Invoker {
    /** @param args all of them, the receiver first */
    public abstract Object call(Object[] args) throws Throwable;
}
