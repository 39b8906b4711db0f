package reenact.host;

import java.util.ArrayList;

/** What earlier batches of this worker named: strings, types, members, texts. Each is linked when first used. */
final class Symbols {
    private final ArrayList<String> strings = new ArrayList<String>();
    private final ArrayList<TypeSymbol> types = new ArrayList<TypeSymbol>();
    private final ArrayList<Member> methods = new ArrayList<Member>();
    private final ArrayList<FieldSymbol> fields = new ArrayList<FieldSymbol>();
    private final ArrayList<String> texts = new ArrayList<String>();
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
        return texts.get(id);
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
                    methods.add(new Member(linker, in.octet(), type(in.number()), string(in.number()), string(in.number())));
                    break;
                case Wire.DEFINE_FIELD:
                    fields.add(new FieldSymbol(linker, in.octet(), type(in.number()), string(in.number()), type(in.number())));
                    break;
                case Wire.DEFINE_TEXT:
                    texts.add(text(in));
                    break;
                case Wire.FORGET_TEXTS:
                    texts.clear();
                    break;
                default:
                    throw new IllegalStateException("definition " + what);
            }
        }
    }

    /** One plain piece is a literal in Java source and therefore interned; anything longer is computed there. */
    private static String text(Input in) {
        int pieces = in.number();
        if (pieces == 0) {
            return "";
        }
        StringBuilder whole = new StringBuilder();
        boolean isLiteral = true;
        for (int i = 0; i < pieces; i++) {
            int times = in.number();
            String piece = in.units();
            isLiteral &= times == 1;
            for (int k = 0; k < times; k++) {
                whole.append(piece);
            }
        }
        return isLiteral ? whole.toString().intern() : whole.toString();
    }
}
