package nz.orchard.harvest.domain;

/** Where something was picked: orchard, row and variety, such as N-12-Gala. */
public record BlockCode(String orchard, int row, Variety variety) {

    public static BlockCode parse(String text) {
        return new BlockCode(text.substring(0, text.indexOf('-')), row(text),
                Variety.of(text.substring(text.lastIndexOf('-') + 1)));
    }

    private static int row(String text) {
        return Integer.parseInt(text.substring(text.indexOf('-') + 1, text.lastIndexOf('-')));
    }

    @Override
    public String toString() {
        return orchard + "-" + row + "-" + variety;
    }
}
