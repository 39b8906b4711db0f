import java.util.Comparator;
import java.util.Iterator;
import org.apache.commons.collections.Buffer;
import org.apache.commons.collections.BufferUtils;
import org.apache.commons.collections.Closure;
import org.apache.commons.collections.MapIterator;
import org.apache.commons.collections.bag.HashBag;
import org.apache.commons.collections.bag.TreeBag;
import org.apache.commons.collections.bidimap.TreeBidiMap;
import org.apache.commons.collections.buffer.BoundedFifoBuffer;
import org.apache.commons.collections.buffer.CircularFifoBuffer;
import org.apache.commons.collections.buffer.PriorityBuffer;
import org.apache.commons.collections.buffer.UnboundedFifoBuffer;
import org.apache.commons.collections.functors.ChainedClosure;
import org.apache.commons.collections.list.CursorableLinkedList;
import org.apache.commons.collections.list.TreeList;
import org.apache.commons.collections.map.Flat3Map;
import org.apache.commons.collections.map.HashedMap;
import org.apache.commons.collections.map.LRUMap;
import org.apache.commons.collections.map.LinkedMap;

/** Has an old library do what it does: a real program, compiled by an old compiler. */
@SuppressWarnings({"unchecked", "rawtypes"})
public class Library {
    static void buffer(Buffer buffer) {
        for (int i = 0; i < 8; i++) {
            buffer.add(Integer.valueOf(8 - i));
        }
        buffer.get();
        buffer.remove();
        for (Iterator each = buffer.iterator(); each.hasNext();) {
            if (each.next().equals(Integer.valueOf(4))) {
                each.remove();
            }
        }
        buffer.clear();
    }

    static void map(HashedMap map) {
        for (int i = 0; i < 15; i++) {
            map.put("key" + i % 9, Integer.valueOf(i));
        }
        map.remove("key3");
        for (MapIterator each = map.mapIterator(); each.hasNext();) {
            each.next();
            each.setValue("new");
        }
        map.clone();
        map.clear();
    }

    public static void main(String[] args) {
        buffer(new BoundedFifoBuffer(10));
        buffer(new CircularFifoBuffer(5));
        buffer(new UnboundedFifoBuffer());
        buffer(new PriorityBuffer());
        buffer(BufferUtils.synchronizedBuffer(new UnboundedFifoBuffer()));
        map(new HashedMap());
        LinkedMap linked = new LinkedMap();
        LRUMap recent = new LRUMap(4);
        Flat3Map flat = new Flat3Map();
        TreeBidiMap both = new TreeBidiMap();
        HashBag bag = new HashBag();
        TreeBag sorted = new TreeBag((Comparator) (a, b) -> ((String) b).compareTo((String) a));
        TreeList tree = new TreeList();
        CursorableLinkedList list = new CursorableLinkedList();
        for (int i = 0; i < 8; i++) {
            String text = "text" + i;
            linked.put(text, text);
            recent.put(text, text);
            flat.put(text, text);
            both.put(text, Integer.valueOf(i));
            bag.add(text, i);
            sorted.add(text);
            tree.add(i / 2, text);
            list.add(text);
        }
        linked.remove(2);
        recent.get("text7");
        flat.remove("text1");
        both.removeValue(Integer.valueOf(3));
        bag.remove("text2", 1);
        sorted.remove("text2");
        tree.remove(4);
        list.cursor(2).add("more");
        ChainedClosure.getInstance(new Closure[] {it -> bag.add(it), sorted::add}).execute("last");
    }
}
