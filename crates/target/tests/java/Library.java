import java.util.*;
import java.util.function.Supplier;

/** Exceptions from inside the JDK: the call throws, its arguments say when. */
public class Library {
    static class Box { String text; List<String> list = new ArrayList<>(); }

    static void caseSubstring() { substring("abc", 2, 1); }
    static String substring(String s, int b, int e) {
        return s.substring(b, e); //> Library invoke substring: b < 0 || b > e || e > s.length()
    }
    static void caseSubstringFrom() { substringFrom("abc", 5); }
    static String substringFrom(String s, int b) {
        return s.substring(b); //>? Library invoke substring
    }
    static void caseCharAt() { charAt("abc", 3); }
    static char charAt(String s, int i) {
        return s.charAt(i); //> Library invoke charAt: i < 0 || i >= s.length()
    }
    static void caseArrayListGet() { arrayListGet(new ArrayList<>(), 3); }
    static Object arrayListGet(ArrayList<String> list, int i) {
        return list.get(i); //> Library invoke get: i < 0 || i >= list.size
    }
    static void caseListGet() { listGet(new ArrayList<>(), 3); }
    static Object listGet(List<String> list, int i) {
        return list.get(i); //> Library invoke get: i < 0 || i >= list.size
    }
    static void caseLinkedListGet() { linkedListGet(new LinkedList<>(), 3); }
    static Object linkedListGet(List<String> list, int i) {
        return list.get(i); //> Library invoke get: i < 0 || i >= list.size
    }
    static void caseParse() { parse("12x"); }
    static int parse(String s) {
        return Integer.parseInt(s); //>? Library invoke parseInt
    }
    static void caseParseNull() { parse2(null); }
    static long parse2(String s) {
        return Long.parseLong(s); //>? Library invoke parseLong
    }
    static void caseRequireNonNull() { requireNonNull(null); }
    static Object requireNonNull(Object o) {
        return Objects.requireNonNull(o); //> Library invoke requireNonNull: o == null
    }
    static void caseRequireNonNullText() { requireNonNullText(new Box()); }
    static Object requireNonNullText(Box box) {
        return Objects.requireNonNull(box.text, "text must be set"); //> Library invoke requireNonNull: box.text == null
    }
    static void caseCheckIndex() { checkIndex(5, 3); }
    static int checkIndex(int i, int n) {
        return Objects.checkIndex(i, n); //> Library invoke checkIndex: i < 0 || i >= n
    }
    static void caseOptional() { optional(Optional.empty()); }
    static Object optional(Optional<String> o) {
        return o.get(); //> Library invoke get: o.value == null
    }
    static void caseOrElseThrow() { orElseThrow(Optional.empty()); }
    static Object orElseThrow(Optional<String> o) {
        return o.orElseThrow(IllegalStateException::new); //>? Library invoke orElseThrow
    }
    static void caseIterator() { iterator(new ArrayList<>()); }
    static Object iterator(ArrayList<String> list) {
        return list.iterator().next(); //>? Library invoke next
    }
    static void caseModified() { modified(new ArrayList<>(List.of("a", "b", "c"))); }
    static void modified(List<String> list) {
        for (String s : list) list.remove(s); //>? Library invoke next
    }
    static void caseUnmodifiable() { unmodifiable(Collections.unmodifiableList(new ArrayList<>())); }
    static void unmodifiable(List<String> list) {
        list.add("x"); //> Library invoke add: always when reached
    }
    static void caseImmutable() { immutable(List.of()); }
    static void immutable(List<String> list) {
        list.add("x"); //> Library invoke add: always when reached
    }
    static void caseArrayCopy() { arrayCopy(new int[3], 2, new int[5], 0, 2); }
    static void arrayCopy(int[] from, int at, int[] to, int start, int count) {
        System.arraycopy(from, at, to, start, count); //> Library invoke arraycopy: at < 0 || start < 0 || count < 0 || count > from.length - at || count > to.length - start
    }
    static void caseArrayCopyNull() { arrayCopyNull(null, new int[5]); }
    static void arrayCopyNull(int[] from, int[] to) {
        System.arraycopy(from, 0, to, 0, 1); //> Library invoke arraycopy: from == null || to == null
    }
    static void caseCopyOf() { copyOf(new int[3], -1); }
    static int[] copyOf(int[] a, int n) {
        return Arrays.copyOf(a, n); //>? Library invoke copyOf
    }
    static void caseEnum() { ofEnum("NOTHING"); }
    static Object ofEnum(String s) {
        return Thread.State.valueOf(s); //>? Library invoke valueOf
    }
    static void caseAddExact() { addExact(Integer.MAX_VALUE, 1); }
    static int addExact(int a, int b) {
        return Math.addExact(a, b); //>? Library invoke addExact
    }
    static void caseToIntExact() { toIntExact(1L << 40); }
    static int toIntExact(long l) {
        return Math.toIntExact(l); //>? Library invoke toIntExact
    }
    static void caseDequePop() { dequePop(new ArrayDeque<>()); }
    static Object dequePop(ArrayDeque<String> d) {
        return d.pop(); //>? Library invoke pop
    }
    static void caseDequeNull() { dequeNull(new ArrayDeque<>(), null); }
    static void dequeNull(ArrayDeque<String> d, String s) {
        d.addLast(s); //> Library invoke addLast: s == null
    }
    static void caseMapNull() { mapNull(new java.util.concurrent.ConcurrentHashMap<>(), "a", null); }
    static void mapNull(Map<String, String> map, String k, String v) {
        map.put(k, v); //> Library invoke put: k == null || v == null
    }
    static void caseHashtable() { hashtable(new Hashtable<>(), null, "v"); }
    static void hashtable(Map<String, String> map, String k, String v) {
        map.put(k, v); //> Library invoke put: v == null || k == null
    }
    static void caseTreeMap() { treeMap(new TreeMap<>(), null); }
    static void treeMap(Map<String, String> map, String k) {
        map.put(k, "x"); //>? Library invoke put
    }
    static void caseNotComparable() { notComparable(new TreeMap<>(), new Object()); }
    static void notComparable(Map<Object, String> map, Object k) {
        map.put(k, "x"); //>? Library invoke put
    }
    static void caseInsert() { insert(new StringBuilder("abc"), 9, "x"); }
    static void insert(StringBuilder b, int at, String s) {
        b.insert(at, s); //>? Library invoke insert
    }
    static void caseDeleteCharAt() { deleteCharAt(new StringBuilder(), -1); }
    static void deleteCharAt(StringBuilder b, int at) {
        b.deleteCharAt(at); //>? Library invoke deleteCharAt
    }
    static void caseSetLength() { setLength(new StringBuilder(), -1); }
    static void setLength(StringBuilder b, int n) {
        b.setLength(n); //> Library invoke setLength: n < 0
    }
    static void caseSubList() { subList(new ArrayList<>(), 1, 4); }
    static Object subList(ArrayList<String> list, int a, int b) {
        return list.subList(a, b); //>? Library invoke subList
    }
    static void caseCapacity() { capacity(-1); }
    static Object capacity(int n) {
        return new ArrayList<String>(n); //> Library invoke <init>: n < 0
    }
    static void caseHashMapCapacity() { hashMapCapacity(-1); }
    static Object hashMapCapacity(int n) {
        return new HashMap<String, String>(n); //> Library invoke <init>: n < 0
    }
    static void caseDate() { date("x"); }
    static Object date(String s) {
        return java.time.LocalDate.parse(s); //>? Library invoke parse
    }
    static void caseUuid() { uuid("x"); }
    static Object uuid(String s) {
        return UUID.fromString(s); //>? Library invoke fromString
    }
    static void caseUri() { uri("a b"); }
    static Object uri(String s) {
        return java.net.URI.create(s); //>? Library invoke create
    }
    static void caseRandom() { random(new Random(), 0); }
    static int random(Random r, int n) {
        return r.nextInt(n); //> Library invoke nextInt: n <= 0
    }
    static void caseBigDecimal() { bigDecimal(java.math.BigDecimal.ZERO); }
    static Object bigDecimal(java.math.BigDecimal d) {
        return java.math.BigDecimal.ONE.divide(d); //>? Library invoke divide
    }
    static void caseFormat() { format("%d", "x"); }
    static String format(String f, Object o) {
        return String.format(f, o); //>? Library invoke format
    }
    static void caseToString() { concatenated(new Object() { @Override public String toString() { throw new IllegalStateException("in toString"); } }); }
    static String concatenated(Object o) { return "a" + o; }
    static void caseSupplier() { supplied(() -> { throw new IllegalStateException("in lambda"); }); } //> Explicit athrow: always when reached
    static Object supplied(Supplier<Object> s) { return s.get(); }
    static void caseSort() { sort(new ArrayList<>(Arrays.asList("b", null, "a"))); }
    static void sort(List<String> list) {
        Collections.sort(list); //>? Library invoke sort
    }
    static void caseToCharArray() { toChars(-1); }
    static char[] toChars(int code) {
        return Character.toChars(code); //>? Library invoke toChars
    }
    static void caseThreadSleep() throws Exception { sleep(-1); }
    static void sleep(long l) throws Exception {
        Thread.sleep(l); //>? Library invoke sleep
    }
    static void caseNewInstance() { newInstance(String.class, -2); }
    static Object newInstance(Class<?> c, int n) {
        return java.lang.reflect.Array.newInstance(c, n); //> Library invoke newInstance: n < 0
    }
    static void caseClassCast() { classCast(Integer.class, "x"); }
    static Object classCast(Class<?> c, Object o) {
        return c.cast(o); //>? Library invoke cast
    }
}
