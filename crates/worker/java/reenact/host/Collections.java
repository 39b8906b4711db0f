package reenact.host;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.TreeSet;

/** Collections with given elements, filled one by one. */
final class Collections {
    private Collections() {
    }

    static Object create(int kind, Object[] elements) {
        switch (kind) {
            case Wire.COLLECTION_AS_LIST:
                return java.util.Arrays.asList(elements);
            case Wire.COLLECTION_ARRAY_LIST:
                return fill(new ArrayList<Object>(), elements);
            case Wire.COLLECTION_LINKED_LIST:
                return fill(new LinkedList<Object>(), elements);
            case Wire.COLLECTION_HASH_SET:
                return fill(new HashSet<Object>(), elements);
            case Wire.COLLECTION_LINKED_HASH_SET:
                return fill(new LinkedHashSet<Object>(), elements);
            case Wire.COLLECTION_TREE_SET:
                return fill(new TreeSet<Object>(), elements);
            case Wire.COLLECTION_HASH_MAP:
                return fill(new HashMap<Object, Object>(), elements);
            case Wire.COLLECTION_LINKED_HASH_MAP:
                return fill(new LinkedHashMap<Object, Object>(), elements);
            case Wire.COLLECTION_TREE_MAP:
                return fill(new TreeMap<Object, Object>(), elements);
            case Wire.COLLECTION_PROPERTIES:
                return fill(new Properties(), elements);
            default:
                throw new IllegalStateException("collection " + kind);
        }
    }

    private static Object fill(Collection<Object> collection, Object[] elements) {
        for (int i = 0; i < elements.length; i++) {
            collection.add(elements[i]);
        }
        return collection;
    }

    private static Object fill(Map<Object, Object> map, Object[] elements) {
        for (int i = 0; i < elements.length; i += 2) {
            map.put(elements[i], elements[i + 1]);
        }
        return map;
    }
}
