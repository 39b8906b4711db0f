package com.nordwind.shop.repository;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Function;
import java.util.stream.Stream;

public class InMemoryRepository<K extends Comparable<K>, V> implements Repository<K, V> {

    private final Map<K, V> rows = new ConcurrentSkipListMap<>();
    private final Function<V, K> key;

    public InMemoryRepository(Function<V, K> key) {
        this.key = key;
    }

    @Override
    public Optional<V> find(K k) {
        return Optional.ofNullable(rows.get(k));
    }

    @Override
    public void save(V value) {
        rows.put(key.apply(value), value);
    }

    @Override
    public Stream<V> all() {
        return rows.values().stream();
    }
}
