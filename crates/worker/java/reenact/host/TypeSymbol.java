package reenact.host;

/** A type by descriptor, found when first used and never initialised by that. */
final class TypeSymbol implements Linker.Linked {
    private final Linker linker;
    final String descriptor;
    /** The class file, for a class that is ours. */
    private byte[] emitted;
    private Class<?> found;
    private String failure;

    TypeSymbol(Linker linker, String descriptor, byte[] emitted) {
        this.linker = linker;
        this.descriptor = descriptor;
        this.emitted = emitted;
    }

    Class<?> get() {
        if (found == null) {
            find();
        }
        return found;
    }

    /** Threads of a candidate may need it at the same time; a class can be defined once only. */
    private void find() {
        synchronized (linker) {
            if (found != null) {
                return;
            }
            if (failure == null) {
                try {
                    found = emitted != null ? linker.defineEmitted(descriptor, emitted) : linker.type(descriptor);
                    if (!linker.isRenewable()) {
                        emitted = null;
                    } else if (isOfProgram()) {
                        linker.note(this);
                    }
                    return;
                } catch (Unlinkable e) {
                    failure = e.getMessage();
                }
            }
            throw new Unlinkable(failure);
        }
    }

    private boolean isOfProgram() {
        Class<?> element = found;
        while (element.isArray()) {
            element = element.getComponentType();
        }
        return element.getClassLoader() != null;
    }

    @Override
    public void unlink() {
        found = null;
    }
}
