package reenact.host;

/** A constant string in pieces, put together when used: written out, it may be larger than the heap. */
final class TextSymbol {
    /** Longer ones are not kept, but made anew for each use. */
    private static final int MAX_KEPT = 1 << 16;

    private final String[] pieces;
    private final int[] times;
    private String kept;

    TextSymbol(Input in) {
        int count = in.number();
        pieces = new String[count];
        times = new int[count];
        for (int i = 0; i < count; i++) {
            times[i] = in.number();
            pieces[i] = in.units();
        }
    }

    String get() {
        if (kept != null) {
            return kept;
        }
        String text = isLiteral() ? (pieces.length == 0 ? "" : pieces[0].intern()) : whole();
        if (text.length() <= MAX_KEPT) {
            kept = text;
        }
        return text;
    }

    /** One plain piece is a literal in Java source and therefore interned; anything longer is computed there. */
    private boolean isLiteral() {
        return pieces.length == 0 || pieces.length == 1 && times[0] == 1;
    }

    private String whole() {
        StringBuilder whole = new StringBuilder();
        for (int i = 0; i < pieces.length; i++) {
            for (int k = 0; k < times[i]; k++) {
                whole.append(pieces[i]);
            }
        }
        return whole.toString();
    }
}
