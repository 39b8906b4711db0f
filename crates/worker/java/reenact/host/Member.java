package reenact.host;

import java.lang.invoke.MethodHandle;

/** A method, constructor or field access, linked when first used. */
final class Member implements Linker.Linked {
    private final Linker linker;
    final int kind;
    final TypeSymbol owner;
    final String name;
    final String descriptor;

    // What is done with a static field.
    static final int READ = 0;
    static final int READ_CHANGEABLE = 1;
    static final int WRITE = 2;

    /** The class file of an {@link Invoker}, null if there is none. */
    private final byte[] invokerFile;
    /** Whether it is to be defined beside the member's class, in the same package. */
    final boolean isBeside;
    /** Whether it is certain that it can make the call. */
    final boolean isSure;

    /** Takes all arguments, receiver first, as an array of exactly {@link #arity}; null if there is a handle instead. */
    Invoker invoker;
    /** The same by the JDK's means, for members that not every class can call. */
    MethodHandle handle;
    /** Written last: whoever sees it also sees the rest. */
    volatile boolean isLinked;
    int arity;
    final boolean hasReceiver;
    /** Which of the first arguments must not be null: the receiver, and those that are unboxed. One bit each. */
    long required;
    /** The class to initialise before the next call: what the call itself would do, without frames of the JDK. */
    Class<?> uninitialised;
    /** Of a static field, the number of the class that declares it; -1 if its static state is not watched. */
    int statics = -1;
    private int access;
    private String failure;

    /** {@code file} is at the invoker; null if there is none. */
    Member(Linker linker, int kind, TypeSymbol owner, String name, String descriptor, Input file) {
        this.linker = linker;
        this.kind = kind;
        this.owner = owner;
        this.name = name;
        this.descriptor = descriptor;
        this.hasReceiver = kind == Wire.MEMBER_INSTANCE;
        int place = file == null ? Wire.INVOKER_NONE : file.octet();
        this.invokerFile = place == Wire.INVOKER_NONE ? null : file.bytes();
        this.isBeside = (place & Wire.INVOKER_BESIDE) != 0;
        this.isSure = (place & Wire.INVOKER_SURE) != 0;
    }

    /** Threads of a candidate may need it at the same time; an invoker can be defined once only. */
    void link() {
        synchronized (linker) {
            if (isLinked) {
                return;
            }
            if (failure == null) {
                try {
                    linker.linkMethod(this);
                    linker.note(this);
                    return;
                } catch (Unlinkable e) {
                    failure = e.getMessage();
                }
            }
            throw new Unlinkable(failure);
        }
    }

    boolean hasInvoker() {
        return invokerFile != null;
    }

    /** With what is made of the class file. A call initialises the member's class by itself. */
    void linkInvoker() {
        invoker = linker.define(invokerFile);
        int count = hasReceiver ? 1 : 0;
        required = count;
        for (int at = 1; descriptor.charAt(at) != ')'; at++, count++) {
            int start = at;
            while (descriptor.charAt(at) == '[') {
                at++;
            }
            if (descriptor.charAt(at) == 'L') {
                at = descriptor.indexOf(';', at);
            } else if (at == start && count < 64) {
                required |= 1L << count;
            }
        }
        arity = count;
        isLinked = true;
    }

    void linked(MethodHandle found, Class<?> declaring) {
        arity = found.type().parameterCount();
        required = hasReceiver ? 1 : 0;
        for (int i = 0; i < arity; i++) {
            require(i, found.type().parameterType(i));
        }
        uninitialised = hasReceiver ? null : declaring;
        handle = Linker.spread(found);
        isLinked = true;
    }

    /** It is a static field of the class with this number of {@link Statics}, and is accessed in this way. */
    void watched(int id, int how) {
        statics = id;
        access = how;
    }

    /** The field is about to be accessed: says so, as probes in code of the program do. */
    void use() throws ClassNotFoundException {
        // Classes above that are out of date are initialised again before the VM initialises this one.
        Statics.use(statics);
        if (uninitialised != null) {
            Linker.initialise(this);
        }
        // Only then: what an enum holds is kept before the first write, as its initialiser has left it.
        if (access == WRITE) {
            Statics.write(statics);
        } else if (access == READ_CHANGEABLE) {
            Statics.dirty(statics);
        }
    }

    private void require(int i, Class<?> type) {
        if (i < 64 && type.isPrimitive()) {
            required |= 1L << i;
        }
    }

    @Override
    public void unlink() {
        isLinked = false;
        invoker = null;
        handle = null;
        uninitialised = null;
    }
}
