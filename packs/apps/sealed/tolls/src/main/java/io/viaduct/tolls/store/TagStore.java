package io.viaduct.tolls.store;

import io.viaduct.tolls.domain.Tag;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

public class TagStore {

    private final Map<String, Tag> tags = new ConcurrentHashMap<>();

    public void save(Tag tag) {
        tags.put(tag.id(), tag);
    }

    public Optional<Tag> find(String id) {
        return Optional.ofNullable(tags.get(id));
    }
}
