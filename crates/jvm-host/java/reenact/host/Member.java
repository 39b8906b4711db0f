package reenact.host;

import java.lang.invoke.MethodHandle;

/** A method, constructor or field access, linked when first used. */
final class Member implements Linker.Linked {
    private final Linker linker;
    final int kind;
    final TypeSymbol owner;
    final String name;
    final String descriptor;

    /** Takes all arguments, receiver first, as an array of exactly {@link #arity}; null before linking. */
    MethodHandle handle;
    int arity;
    final boolean hasReceiver;
    /** Which of the first arguments must not be null: the receiver, and those that are unboxed. One bit each. */
    long required;
    /** The class to initialise before the next call: what the call itself would do, without frames of the JDK. */
    Class<?> uninitialised;
    private String failure;

    Member(Linker linker, int kind, TypeSymbol owner, String name, String descriptor) {
        this.linker = linker;
        this.kind = kind;
        this.owner = owner;
        this.name = name;
        this.descriptor = descriptor;
        this.hasReceiver = kind == Wire.MEMBER_INSTANCE;
    }

    void link() {
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

    void linked(MethodHandle found, Class<?> declaring) {
        arity = found.type().parameterCount();
        for (int i = 0; i < arity && i < 64; i++) {
            if (i == 0 && hasReceiver || found.type().parameterType(i).isPrimitive()) {
                required |= 1L << i;
            }
        }
        uninitialised = hasReceiver ? null : declaring;
        handle = Linker.spread(found);
    }

    @Override
    public void unlink() {
        handle = null;
        uninitialised = null;
    }
}
