import java.io.*;
import java.math.*;
import java.nio.ByteBuffer;
import java.nio.file.*;
import java.text.*;
import java.time.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.stream.*;

/** Provokes what the JVM and the JDK have messages for, and prints for each: its name, the class that throws, the exception, its message. */
public class Messages {
    interface Fault {
        void happen() throws Throwable;
    }

    enum Colour { RED }

    static class Node {
        Node next;
        int[] values;
        String name;
    }

    static Node none() {
        return null;
    }

    static void happens(String name, Fault fault) {
        try {
            fault.happen();
            throw new AssertionError(name + " did not happen");
        } catch (AssertionError error) {
            throw error;
        } catch (Throwable thrown) {
            String message = thrown.getMessage();
            message = message == null ? "-" : "=" + message.replace("\\", "\\\\").replace("\n", "\\n");
            String place = thrown.getStackTrace()[0].getClassName();
            System.out.println(name + "\t" + place + "\t" + thrown.getClass().getName() + "\t" + message);
        }
    }

    public static void main(String[] args) {
        indices();
        casts();
        numbers();
        nulls();
        others();
    }

    static void indices() {
        int[] three = new int[3];
        List<Integer> list = new ArrayList<>(Arrays.asList(1, 2, 3));
        happens("array", () -> three[5]++);
        happens("array, negative", () -> three[-1]++);
        happens("ArrayList.get", () -> list.get(5));
        happens("ArrayList.get, negative", () -> list.get(-1));
        happens("ArrayList.add", () -> list.add(7, 1));
        happens("ArrayList.remove", () -> list.remove(5));
        happens("LinkedList.get", () -> new LinkedList<>(list).get(5));
        happens("Arrays.asList.get", () -> Arrays.asList(1, 2, 3).get(5));
        happens("Vector.get", () -> new Vector<>(list).get(5));
        happens("Vector.elementAt", () -> new Vector<>(list).elementAt(5));
        happens("CopyOnWriteArrayList.get", () -> new CopyOnWriteArrayList<>(list).get(5));
        happens("Collections.emptyList.get", () -> Collections.emptyList().get(0));
        happens("unmodifiable get", () -> Collections.unmodifiableList(list).get(5));
        happens("subList", () -> list.subList(2, 9));
        happens("subList, negative", () -> list.subList(-2, 1));
        happens("subList, backwards", () -> list.subList(2, 1));
        happens("subList.get", () -> list.subList(0, 2).get(2));
        happens("listIterator", () -> list.listIterator(7));
        happens("charAt", () -> "abc".charAt(5));
        happens("charAt, negative", () -> "abc".charAt(-1));
        happens("substring", () -> "abc".substring(5));
        happens("substring, negative", () -> "abc".substring(-2));
        happens("substring to", () -> "abc".substring(1, 9));
        happens("substring, backwards", () -> "".substring(0, -1));
        happens("subSequence", () -> "abc".subSequence(2, 1));
        happens("codePointAt", () -> "abc".codePointAt(5));
        happens("StringBuilder.charAt", () -> new StringBuilder("abc").charAt(5));
        happens("StringBuilder.deleteCharAt", () -> new StringBuilder("abc").deleteCharAt(5));
        happens("StringBuilder.setCharAt", () -> new StringBuilder("abc").setCharAt(5, 'x'));
        happens("StringBuilder.insert", () -> new StringBuilder("abc").insert(5, "x"));
        happens("StringBuilder.substring", () -> new StringBuilder("abc").substring(2, 1));
        happens("StringBuilder.replace", () -> new StringBuilder("abc").replace(5, 6, "x"));
        happens("StringBuilder.delete", () -> new StringBuilder("abc").delete(2, 1));
        happens("new String", () -> new String(new char[3], 2, 5));
        happens("arraycopy", () -> System.arraycopy(new byte[10], 5, new byte[10], 0, 7));
        happens("arraycopy, destination", () -> System.arraycopy(new byte[10], 0, new byte[3], 0, 7));
        happens("arraycopy, negative", () -> System.arraycopy(new byte[10], -1, new byte[3], 0, 1));
        happens("arraycopy of objects", () -> System.arraycopy(new String[2], 1, new String[2], 0, 2));
        happens("Arrays.copyOfRange", () -> Arrays.copyOfRange(three, 2, 1));
        happens("Arrays.fill", () -> Arrays.fill(three, 1, 9, 0));
        happens("ByteBuffer.get", () -> ByteBuffer.allocate(3).get(5));
        happens("Objects.checkIndex", () -> Objects.checkIndex(5, 3));
        happens("BitSet.get", () -> new BitSet().get(-1));
        happens("ByteArrayInputStream.read", () -> new ByteArrayInputStream(new byte[3]).read(new byte[2], 1, 5));
        happens("Matcher.group", () -> {
            java.util.regex.Matcher matcher = java.util.regex.Pattern.compile("a").matcher("a");
            matcher.find();
            matcher.group(3);
        });
    }

    static void casts() {
        Object text = "x";
        Object[] strings = new String[1];
        happens("cast", () -> ((Integer) text).intValue());
        happens("cast of ours", () -> ((Node) text).name.length());
        happens("cast of an array", () -> System.out.print(((int[]) (Object) new String[0]).length));
        happens("Class.cast", () -> Integer.class.cast(text));
        happens("TreeMap", () -> new TreeMap<Object, Object>().put(new Node(), 1));
        happens("array store", () -> strings[0] = 1);
        happens("arraycopy of other types", () -> System.arraycopy(new int[1], 0, new long[1], 0, 1));
        happens("negative size", () -> System.out.print(new int[Integer.parseInt("-7")].length));
        happens("enum", () -> Colour.valueOf("BLUE"));
    }

    static void numbers() {
        int zero = Integer.parseInt("0");
        happens("division", () -> System.out.print(1 / zero));
        happens("remainder", () -> System.out.print(1L % zero));
        happens("addExact", () -> Math.addExact(Integer.MAX_VALUE, 1));
        happens("multiplyExact", () -> Math.multiplyExact(Long.MAX_VALUE, 2L));
        happens("toIntExact", () -> Math.toIntExact(Long.MAX_VALUE));
        happens("BigInteger", () -> BigInteger.ONE.divide(BigInteger.ZERO));
        happens("BigDecimal", () -> BigDecimal.ONE.divide(BigDecimal.ZERO));
        happens("BigDecimal, endless", () -> BigDecimal.ONE.divide(new BigDecimal(3)));
        happens("BigDecimal, rounding", () -> new BigDecimal("1.5").setScale(0, RoundingMode.UNNECESSARY));
        happens("parseInt", () -> Integer.parseInt("80x"));
        happens("parseInt, empty", () -> Integer.parseInt(""));
        happens("parseInt, null", () -> Integer.parseInt(null));
        happens("parseInt, radix", () -> Integer.parseInt("zz", 16));
        happens("parseInt, too large", () -> Integer.parseInt("99999999999"));
        happens("parseLong", () -> Long.parseLong("12L"));
        happens("parseByte", () -> Byte.parseByte("300"));
        happens("Integer.decode", () -> Integer.decode("x1"));
        happens("parseDouble", () -> Double.parseDouble("1,5"));
        happens("parseDouble, empty", () -> Double.parseDouble(" "));
        happens("parseDouble, null", () -> Double.valueOf((String) null));
        happens("new BigDecimal", () -> new BigDecimal("abc"));
        happens("new BigInteger", () -> new BigInteger("12x"));
        happens("new BigInteger, empty", () -> new BigInteger(""));
        happens("UUID", () -> UUID.fromString("x"));
        happens("Random.nextInt", () -> new Random().nextInt(0));
    }

    static void nulls() {
        Node[] nodes = new Node[1];
        Node node = new Node();
        Node nothing = none();
        happens("null call", () -> nothing.name.length());
        happens("null field", () -> node.next.name = "x");
        happens("null field's call", () -> node.name.length());
        happens("null element", () -> nodes[0].name.length());
        happens("null array", () -> node.values[0]++);
        happens("null length", () -> System.out.print(node.values.length));
        happens("null result", () -> none().name.length());
        happens("null thrown", () -> { throw (RuntimeException) (Object) none(); });
        happens("null lock", () -> { synchronized (none()) { } });
        happens("requireNonNull", () -> Objects.requireNonNull(null));
        happens("requireNonNull, named", () -> Objects.requireNonNull(null, "name"));
    }

    static void others() {
        happens("iterator", () -> new ArrayList<>().iterator().next());
        happens("Optional", () -> Optional.empty().get());
        happens("Optional.orElseThrow", () -> Optional.empty().orElseThrow(NoSuchElementException::new));
        happens("Scanner", () -> new Scanner("").nextLine());
        happens("ArrayDeque", () -> new ArrayDeque<>().pop());
        happens("concurrent modification", () -> {
            List<Integer> list = new ArrayList<>(Arrays.asList(1, 2, 3));
            for (Integer i : list) { list.remove(i); }
        });
        happens("unmodifiable", () -> Collections.emptyList().add(null));
        happens("toMap", () -> Stream.of("a", "a").collect(Collectors.toMap(x -> x, x -> 1)));
        happens("stream twice", () -> { Stream<Object> s = Stream.of(); s.count(); s.count(); });
        happens("queue", () -> new ArrayBlockingQueue<>(1).addAll(Arrays.asList(1, 2)));
        happens("monitor", () -> new Object().wait());
        happens("HashMap", () -> new HashMap<>(-1));
        happens("ArrayList", () -> new ArrayList<>(-1));
        happens("LocalDate", () -> LocalDate.parse("2024-13-01"));
        happens("LocalDate, text", () -> LocalDate.parse("x"));
        happens("LocalDate.of", () -> LocalDate.of(2023, 2, 29));
        happens("ZoneId", () -> ZoneId.of("Mars/Olympus"));
        happens("SimpleDateFormat", () -> new SimpleDateFormat("yyyy").parse("x"));
        happens("SimpleDateFormat, pattern", () -> new SimpleDateFormat("Q"));
        happens("URI", () -> new java.net.URI("a b"));
        happens("Pattern", () -> java.util.regex.Pattern.compile("(a"));
        happens("format, argument", () -> String.format("%d"));
        happens("format, conversion", () -> String.format("%d", "x"));
        happens("format, unknown", () -> String.format("%q", 1));
        happens("Class.forName", () -> Class.forName("a.b.C"));
        happens("getMethod", () -> String.class.getMethod("nothing", int.class));
        happens("getField", () -> String.class.getField("nothing"));
        happens("invoke, receiver", () -> String.class.getMethod("length").invoke(1));
        happens("invoke, arguments", () -> String.class.getMethod("length").invoke("x", 1));
        happens("clone", () -> new Messages().clone());
        happens("serialise", () -> new ObjectOutputStream(new ByteArrayOutputStream()).writeObject(new Node()));
        happens("file", () -> new FileInputStream("/no/such/file"));
        happens("Files", () -> Files.readAllBytes(Paths.get("/no/such/file")));
        happens("charset", () -> "x".getBytes("no-such-set"));
        happens("base64", () -> Base64.getDecoder().decode("%%%%"));
        happens("bundle", () -> ResourceBundle.getBundle("no.such"));
        happens("temporary file", () -> File.createTempFile("a", null));
        happens("Thread.sleep", () -> Thread.sleep(-1));
        happens("comparison", () -> { throw new IllegalArgumentException("Comparison method violates its general contract!"); });
    }
}
