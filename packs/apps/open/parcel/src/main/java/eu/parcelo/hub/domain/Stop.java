package eu.parcelo.hub.domain;

public record Stop(String depot, int minutes) {

    public static Stop parse(String text) {
        int at = text.indexOf('@');
        return at < 0 ? new Stop(text, 0) : new Stop(text.substring(0, at), Integer.parseInt(text.substring(at + 1)));
    }
}
