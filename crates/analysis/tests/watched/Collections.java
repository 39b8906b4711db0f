import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.StringTokenizer;
import java.util.TreeMap;

/** Has the JDK's collections do what they do. */
public class Collections {
    static class Key implements Comparable<Key> {
        final int number;
        int hashed;
        int compared;

        Key(int number) {
            this.number = number;
        }

        @Override
        public int hashCode() {
            hashed++;
            return number % 3;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Key && ((Key) other).number == number;
        }

        @Override
        public int compareTo(Key other) {
            compared++;
            return Integer.compare(number, other.number);
        }
    }

    static int lists(List<Key> list) {
        for (int i = 0; i < 12; i++) {
            list.add(new Key(i % 5));
        }
        list.remove(3);
        list.set(2, new Key(9));
        list.sort(null);
        list.sort(Comparator.comparingInt(key -> -key.number));
        int sum = 0;
        for (Iterator<Key> keys = list.iterator(); keys.hasNext();) {
            Key key = keys.next();
            sum += key.number;
            if (key.number == 1) {
                keys.remove();
            }
        }
        list.subList(1, 3).clear();
        list.addAll(Arrays.asList(new Key(1), new Key(2)));
        return sum + list.indexOf(new Key(2));
    }

    static int maps(Map<Key, Integer> map) {
        for (int i = 0; i < 20; i++) {
            map.merge(new Key(i % 7), i, Integer::sum);
        }
        map.remove(new Key(4));
        map.putIfAbsent(new Key(30), 1);
        map.computeIfAbsent(new Key(31), key -> key.number);
        int sum = 0;
        for (Map.Entry<Key, Integer> entry : map.entrySet()) {
            sum += entry.getValue();
            entry.setValue(0);
        }
        map.keySet().removeIf(key -> key.number > 5);
        map.clear();
        return sum;
    }

    static int others() {
        ArrayDeque<Key> deque = new ArrayDeque<>();
        PriorityQueue<Key> queue = new PriorityQueue<>();
        BitSet bits = new BitSet();
        for (int i = 0; i < 20; i++) {
            deque.addFirst(new Key(i));
            queue.offer(new Key(20 - i));
            bits.set(3 * i);
        }
        int sum = bits.cardinality();
        while (!queue.isEmpty()) {
            sum += queue.poll().number + deque.pollLast().number;
        }
        StringTokenizer words = new StringTokenizer("a b c");
        while (words.hasMoreTokens()) {
            sum += words.nextToken().length();
        }
        return sum;
    }

    public static void main(String[] args) {
        int sum = lists(new ArrayList<>()) + lists(new LinkedList<>());
        sum += maps(new HashMap<>()) + maps(new LinkedHashMap<>()) + maps(new TreeMap<>());
        sum += others();
        if (sum == 0) {
            throw new IllegalStateException();
        }
    }
}
