package reenact.host;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Set;

/**
 * System properties that know when they may have changed: comparing all of them after each candidate would cost more than
 * most candidates do. Handing out a view counts as a change, because views can be written through.
 */
final class TrackedProperties extends Properties {
    private static final long serialVersionUID = 1;

    private final transient Map<Object, Object> original;
    private transient boolean isTouched;

    /** Takes over the content. */
    TrackedProperties(Properties content) {
        original = new HashMap<Object, Object>(content);
        reset();
    }

    /** Goes back to the original content. */
    void resetIfTouched() {
        if (isTouched) {
            reset();
        }
    }

    private void reset() {
        super.clear();
        for (Map.Entry<Object, Object> entry : original.entrySet()) {
            super.put(entry.getKey(), entry.getValue());
        }
        isTouched = false;
    }

    @Override
    public synchronized Object put(Object key, Object value) {
        isTouched = true;
        return super.put(key, value);
    }

    @Override
    public synchronized void putAll(Map<?, ?> more) {
        isTouched = true;
        super.putAll(more);
    }

    @Override
    public synchronized Object remove(Object key) {
        isTouched = true;
        return super.remove(key);
    }

    @Override
    public synchronized boolean remove(Object key, Object value) {
        isTouched = true;
        return super.remove(key, value);
    }

    @Override
    public synchronized void clear() {
        isTouched = true;
        super.clear();
    }

    @Override
    public synchronized Object putIfAbsent(Object key, Object value) {
        isTouched = true;
        return super.putIfAbsent(key, value);
    }

    @Override
    public synchronized boolean replace(Object key, Object before, Object value) {
        isTouched = true;
        return super.replace(key, before, value);
    }

    @Override
    public synchronized Object replace(Object key, Object value) {
        isTouched = true;
        return super.replace(key, value);
    }

    @Override
    public synchronized void replaceAll(java.util.function.BiFunction<? super Object, ? super Object, ?> change) {
        isTouched = true;
        super.replaceAll(change);
    }

    @Override
    public synchronized Object computeIfAbsent(Object key, java.util.function.Function<? super Object, ?> value) {
        isTouched = true;
        return super.computeIfAbsent(key, value);
    }

    @Override
    public synchronized Object computeIfPresent(Object key, java.util.function.BiFunction<? super Object, ? super Object, ?> value) {
        isTouched = true;
        return super.computeIfPresent(key, value);
    }

    @Override
    public synchronized Object compute(Object key, java.util.function.BiFunction<? super Object, ? super Object, ?> value) {
        isTouched = true;
        return super.compute(key, value);
    }

    @Override
    public synchronized Object merge(Object key, Object value, java.util.function.BiFunction<? super Object, ? super Object, ?> both) {
        isTouched = true;
        return super.merge(key, value, both);
    }

    @Override
    public Set<Object> keySet() {
        isTouched = true;
        return super.keySet();
    }

    @Override
    public Collection<Object> values() {
        isTouched = true;
        return super.values();
    }

    @Override
    public Set<Map.Entry<Object, Object>> entrySet() {
        isTouched = true;
        return super.entrySet();
    }
}
