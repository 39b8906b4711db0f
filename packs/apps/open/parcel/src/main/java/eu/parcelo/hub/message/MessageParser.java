package eu.parcelo.hub.message;

import java.util.LinkedHashMap;
import java.util.Map;

/** TYPE id key=value key=value .. */
public class MessageParser {

    public Message parse(String line) {
        String[] words = line.trim().split("\\s+");
        Map<String, String> body = new LinkedHashMap<>();
        for (int i = 2; i < words.length; i++) {
            int eq = words[i].indexOf('=');
            if (eq > 0) {
                body.put(words[i].substring(0, eq), words[i].substring(eq + 1));
            }
        }
        return new Message(words[0], words[1], body);
    }
}
