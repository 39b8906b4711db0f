package reenact.host;

/** A field, linked for reading and for writing apart, because a final one may be read only. */
final class FieldSymbol implements Linker.Linked {
    private final Linker linker;
    final int kind;
    final TypeSymbol owner;
    final String name;
    final TypeSymbol type;
    private volatile Member getter;
    private volatile Member setter;

    FieldSymbol(Linker linker, int kind, TypeSymbol owner, String name, TypeSymbol type) {
        this.linker = linker;
        this.kind = kind;
        this.owner = owner;
        this.name = name;
        this.type = type;
    }

    Member getter() {
        if (getter == null) {
            synchronized (linker) {
                getter = linker.linkField(this, false);
                linker.note(this);
            }
        }
        return getter;
    }

    Member setter() {
        if (setter == null) {
            synchronized (linker) {
                setter = linker.linkField(this, true);
                linker.note(this);
            }
        }
        return setter;
    }

    @Override
    public void unlink() {
        getter = null;
        setter = null;
    }
}
