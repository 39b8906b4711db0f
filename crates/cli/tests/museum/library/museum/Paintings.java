package museum;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

public class Paintings {
    private final Map<String, Painting> byCode = new TreeMap<>();

    public Painting save(Painting painting) {
        if (painting.getCode() == null) {
            painting.setCode("OIL-" + (byCode.size() + 1));
        }
        byCode.put(painting.getCode(), painting);
        return painting;
    }

    public Optional<Painting> find(String code) {
        return Optional.ofNullable(byCode.get(code));
    }
}
