package reenact.host;

import java.util.ArrayList;

/** What earlier batches of this worker named: strings, types, members, texts. Each is linked when first used. */
final class Symbols {
    private final ArrayList<String> strings = new ArrayList<String>();
    private final ArrayList<TypeSymbol> types = new ArrayList<TypeSymbol>();
    private final ArrayList<Member> methods = new ArrayList<Member>();
    private final ArrayList<FieldSymbol> fields = new ArrayList<FieldSymbol>();
    private final ArrayList<TextSymbol> texts = new ArrayList<TextSymbol>();
    private final Linker linker;

    Symbols(Linker linker) {
        this.linker = linker;
    }

    String string(int id) {
        return strings.get(id);
    }

    TypeSymbol type(int id) {
        return types.get(id);
    }

    Member method(int id) {
        return methods.get(id);
    }

    FieldSymbol field(int id) {
        return fields.get(id);
    }

    String text(int id) {
        return texts.get(id).get();
    }

    /** Reads the definitions at the head of a batch. */
    void define(Input in) {
        for (int left = in.number(); left > 0; left--) {
            int what = in.octet();
            switch (what) {
                case Wire.DEFINE_STRING:
                    strings.add(in.utf8());
                    break;
                case Wire.DEFINE_TYPE:
                    types.add(new TypeSymbol(linker, string(in.number()), null));
                    break;
                case Wire.DEFINE_EMITTED_TYPE:
                    types.add(new TypeSymbol(linker, string(in.number()), in.bytes()));
                    break;
                case Wire.DEFINE_METHOD:
                    methods.add(new Member(linker, in.octet(), type(in.number()), string(in.number()), string(in.number()), in));
                    break;
                case Wire.DEFINE_FIELD:
                    fields.add(new FieldSymbol(linker, in.octet(), type(in.number()), string(in.number()), type(in.number())));
                    break;
                case Wire.DEFINE_TEXT:
                    texts.add(new TextSymbol(in));
                    break;
                case Wire.FORGET_TEXTS:
                    texts.clear();
                    break;
                default:
                    throw new IllegalStateException("definition " + what);
            }
        }
    }
}
