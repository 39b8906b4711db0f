package com.nordwind.shop.repository;

import java.util.Optional;
import java.util.stream.Stream;

public interface Repository<K, V> {

    Optional<V> find(K key);

    void save(V value);

    Stream<V> all();

    default V require(K key) {
        return find(key).orElseThrow(() -> new NotFoundException("nothing stored under " + key));
    }
}
