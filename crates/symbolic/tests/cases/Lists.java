import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

public class Lists {
    static int added(int a, int b) {
        List<Integer> list = new ArrayList<>();
        for (int i = 0; i < (a & 15); i++) {
            list.add(i * b);
        }
        int sum = 0;
        for (int element : list) {
            sum += element;
        }
        return sum + list.size() + list.indexOf(b);
    }

    static int got(int a, int at) {
        List<String> list = new ArrayList<>(Arrays.asList("x", "y", "z"));
        list.remove("y");
        list.set(0, "w" + a);
        return list.get(at).length();
    }

    static int mapped(String key, int a) {
        Map<String, Integer> map = new HashMap<>();
        map.put("a", 1);
        map.put("b", 2);
        map.put(key, a);
        Integer found = map.get("a");
        return found + map.size() + (map.containsKey("c") ? 10 : 20) + map.getOrDefault("zz", 5);
    }

    static int ordered(int a, int b, int c) {
        TreeMap<Integer, String> map = new TreeMap<>();
        map.put(a, "a");
        map.put(b, "b");
        map.put(c, "c");
        return map.firstKey() + map.lastEntry().getValue().charAt(0) + map.size();
    }

    static int linked(int a) {
        LinkedList<Integer> list = new LinkedList<>();
        list.add(a);
        list.addFirst(a + 1);
        Iterator<Integer> iterator = list.iterator();
        int first = iterator.next();
        iterator.remove();
        return first * 10 + list.getFirst() + (a > 4 ? list.get(3) : 0);
    }

    static int queued(int a) {
        ArrayDeque<Integer> queue = new ArrayDeque<>();
        queue.push(a);
        queue.addLast(2);
        return queue.pop() - queue.pop() + (a > 6 ? queue.pop() : 0);
    }

    static int modified(int a) {
        List<Integer> list = new ArrayList<>(Arrays.asList(1, 2, 3));
        for (Integer element : list) {
            if (element == a) {
                list.remove(element);
            }
        }
        return list.size();
    }

    static int copied(int[] array, int length) {
        int[] copy = Arrays.copyOf(array, length % 50);
        int[] part = Arrays.copyOfRange(array, 1, array.length);
        int[] clone = array.clone();
        Arrays.fill(clone, 3);
        return copy.length * 100 + part.length * 10 + clone[0] + (Arrays.equals(array, copy) ? 1000 : 0);
    }

    static int moved(int[] array, int from, int to, int length) {
        System.arraycopy(array, from, array, to, length);
        int hash = 0;
        for (int element : array) {
            hash = hash * 31 + element;
        }
        return hash;
    }

    static int marked(int a) {
        Object one = new int[1];
        int sum = one instanceof Cloneable ? 1 : 0;
        Object two = a > 3 ? new long[1] : new String[1][1];
        return sum + (two instanceof Cloneable ? 2 : 0) + (two instanceof Object[] ? 4 : 0);
    }

    static int objects(Object[] objects, int a) {
        Object[] target = a > 3 ? new String[3] : new Object[3];
        System.arraycopy(objects, 0, target, 0, 1);
        return target.length;
    }
}
