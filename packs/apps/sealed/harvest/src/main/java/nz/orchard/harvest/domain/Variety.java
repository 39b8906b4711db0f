package nz.orchard.harvest.domain;

public enum Variety {
    GALA, FUJI, BRAEBURN, JAZZ;

    public static Variety of(String text) {
        return valueOf(text.trim().toUpperCase());
    }
}
