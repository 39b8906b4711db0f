package nz.orchard.harvest.domain;

/** Where something was picked: orchard, row and variety, such as N-12-Gala. */
public record BlockCode(String orchard, int row, Variety variety) {

    private static final int WHOLE_ORCHARD = 0;

    public static BlockCode parse(String text) {
        return new BlockCode(text.substring(0, text.indexOf('-')), row(text),
                Variety.of(text.substring(text.lastIndexOf('-') + 1)));
    }

    private static int row(String text) {
        int first = text.indexOf('-');
        int last = text.lastIndexOf('-');
        return first == last ? WHOLE_ORCHARD : Integer.parseInt(text.substring(first + 1, last));
    }

    @Override
    public String toString() {
        return orchard + "-" + row + "-" + variety;
    }
}
