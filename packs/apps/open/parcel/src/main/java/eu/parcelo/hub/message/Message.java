package eu.parcelo.hub.message;

import java.util.Map;

public record Message(String type, String id, Map<String, String> body) {

    public String get(String name) {
        return body.getOrDefault(name, "");
    }
}
