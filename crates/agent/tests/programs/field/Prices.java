package field;

import java.util.HashMap;
import java.util.Map;

class Prices {
    private final Map<String, Integer> known = new HashMap<>();

    void check(String name, int number) {
        if (number > 1000) {
            throw new IllegalStateException(name + " is not sold " + number + " times");
        }
    }

    void free(String name) {
        known.put(name, 0);
    }

    int of(String name) {
        return known.get(name);
    }
}
