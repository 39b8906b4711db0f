package museum;

import java.util.Map;

/** What a painting is insured for: {"policy": {"cover": {"default": 12}}} among its details. */
public class Insurance {

    public int thousands(Painting painting) {
        Map<String, Object> policy = section(painting.getDetails(), "policy");
        Map<String, Object> cover = section(policy, "cover");
        Object amount = cover.get("default");
        return amount == null ? 1 : (Integer) amount;
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> section(Map<String, Object> map, String name) {
        return (Map<String, Object>) map.getOrDefault(name, Map.of());
    }
}
