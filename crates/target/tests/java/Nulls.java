import java.util.Collections;
import java.util.List;
import java.util.Map;

/** One null dereference per case; each line has others that do not fail. `//> Kind instruction: condition` says which one does. */
public class Nulls {
    String name;
    Nulls next;
    Nulls[] all;
    int[] numbers;
    int number;
    long wide;
    static Nulls shared;
    static String text;

    Nulls next() { return next; }
    Nulls[] all() { return all; }
    static Nulls none() { return null; }
    static int zero() { return 0; }
    private void hidden() { }
    static int take(Object a, Object b) { return 0; }

    static void caseParameter() { parameter(null, "x"); }
    static int parameter(String a, String b) {
        return b.length() + a.length(); //> NullDereference invoke length: a == null
    }

    static void caseFieldOfThis() { new Nulls().fieldOfThis("x"); }
    int fieldOfThis(String other) {
        return other.length() + name.length(); //> NullDereference invoke length: this.name == null
    }

    static void caseFieldChain() { Nulls n = new Nulls(); n.next = new Nulls(); fieldChain(n); }
    static int fieldChain(Nulls n) {
        return n.next.next.next.number; //> NullDereference getfield next: n.next.next == null
    }

    static void caseDeepChain() {
        Nulls n = new Nulls();
        Nulls m = n;
        for (int i = 0; i < 6; i++) { m.next = new Nulls(); m = m.next; }
        deepChain(n);
    }
    static int deepChain(Nulls n) {
        return n.next.next.next.next.next.next.next.number; //> NullDereference getfield number: n.next.next.next.next.next.next.next == null
    }

    static void caseReturnValue() { returnValue(new Nulls()); }
    static String returnValue(Nulls n) {
        return n.next().next().name; //> NullDereference invoke next: n.next() == null
    }

    static void caseStaticCall() { staticCall(); }
    static int staticCall() {
        return none().number; //> NullDereference getfield number: Nulls.none() == null
    }

    static void caseUnsetProperty() { unsetProperty("no.such.property"); }
    static int unsetProperty(String name) {
        return name.length() + Integer.getInteger(name).intValue(); //> NullDereference invoke intValue: Integer.getInteger(name) == null
    }

    static void caseStaticField() { staticField(); }
    static int staticField() {
        return shared.number + text.length(); //> NullDereference getfield number: Nulls.shared == null
    }

    static void caseFieldOfCall() { fieldOfCall(new Nulls()); }
    static int fieldOfCall(Nulls n) {
        n.next = new Nulls();
        return n.next().next.number; //> NullDereference getfield number: n.next().next == null
    }

    static void casePutField() { putField(null); }
    static void putField(Nulls n) {
        n.number = 3; //> NullDereference putfield number: n == null
    }

    static void casePutWide() { putWide(new Nulls()); }
    static void putWide(Nulls n) {
        n.next.wide = n.wide + 1; //> NullDereference putfield wide: n.next == null
    }

    static void caseArrayLength() { arrayLength(new Nulls()); }
    static int arrayLength(Nulls n) {
        return n.numbers.length; //> NullDereference length: n.numbers == null
    }

    static void caseIntLoad() { intLoad(null, 1); }
    static int intLoad(int[] a, int i) {
        return a[i]; //> NullDereference load Int: a == null
    }
    static void caseLongLoad() { longLoad(null, 1); }
    static long longLoad(long[] a, int i) {
        return a[i]; //> NullDereference load Long: a == null
    }
    static void caseByteLoad() { byteLoad(null, 1); }
    static int byteLoad(byte[] a, int i) {
        return a[i]; //> NullDereference load Byte: a == null
    }
    static void caseBooleanLoad() { booleanLoad(null, 1); }
    static boolean booleanLoad(boolean[] a, int i) {
        return a[i]; //> NullDereference load Byte: a == null
    }
    static void caseCharLoad() { charLoad(null, 1); }
    static char charLoad(char[] a, int i) {
        return a[i]; //> NullDereference load Char: a == null
    }
    static void caseShortLoad() { shortLoad(null, 1); }
    static short shortLoad(short[] a, int i) {
        return a[i]; //> NullDereference load Short: a == null
    }
    static void caseFloatLoad() { floatLoad(null, 1); }
    static float floatLoad(float[] a, int i) {
        return a[i]; //> NullDereference load Float: a == null
    }
    static void caseDoubleLoad() { doubleLoad(1.0, null, 1); }
    static double doubleLoad(double first, double[] a, int i) {
        return first + a[i]; //> NullDereference load Double: a == null
    }
    static void caseObjectLoad() { objectLoad(new Nulls()); }
    static Object objectLoad(Nulls n) {
        return n.all[2]; //> NullDereference load Reference: n.all == null
    }
    static void caseIntStore() { intStore(null); }
    static void intStore(int[] a) {
        a[0] = 1; //> NullDereference store Int: a == null
    }
    static void caseByteStore() { byteStore(null); }
    static void byteStore(byte[] a) {
        a[0] = 1; //> NullDereference store Byte: a == null
    }
    static void caseObjectStore() { objectStore(new Nulls(), new Object[1]); }
    static void objectStore(Nulls n, Object[] o) {
        o[0] = n.all[0] = n; //> NullDereference store Reference: n.all == null
    }

    static void caseElementOfElement() { elementOfElement(new int[2][][], 1); }
    static int elementOfElement(int[][][] a, int i) {
        return a[i][0][i]; //> NullDereference load Reference: a[i] == null
    }
    static void caseElementAtCall() { elementAtCall(new Nulls[2]); }
    static int elementAtCall(Nulls[] a) {
        return a[zero()].number; //> NullDereference getfield number: a[Nulls.zero()] == null
    }
    static void caseElementAtSum() { elementAtSum(new Nulls[2], 0); }
    static int elementAtSum(Nulls[] a, int i) {
        return a[i + 1].number; //> NullDereference getfield number: a[i + 1] == null
    }
    static void caseElementAtLarge() { elementAtLarge(new Nulls[40000]); }
    static int elementAtLarge(Nulls[] a) {
        return a[39999].number + a[2000].number; //> NullDereference getfield number: a[39999] == null
    }
    static void caseElementOfCall() { Nulls n = new Nulls(); n.all = new Nulls[1]; elementOfCall(n); }
    static int elementOfCall(Nulls n) {
        return n.all()[0].number; //> NullDereference getfield number: n.all()[0] == null
    }
    static void caseElementAtField() { Nulls n = new Nulls(); n.all = new Nulls[1]; elementAtField(n); }
    static int elementAtField(Nulls n) {
        return n.all[n.number].number; //> NullDereference getfield number: n.all[n.number] == null
    }

    static void caseThrow() { throwNull(null); }
    static void throwNull(RuntimeException e) {
        throw e; //> NullDereference athrow: e == null
    }
    static void caseThrowConstant() { throwConstant(); }
    static void throwConstant() {
        throw null; //> NullDereference athrow: always when reached
    }
    static void caseMonitor() { monitor(null); }
    static void monitor(Object lock) {
        synchronized (lock) { //> NullDereference monitorenter: lock == null
            zero();
        }
    }
    static void caseUnboxing() { unboxing(null, 2); }
    static int unboxing(Integer a, Integer b) {
        return b + a; //> NullDereference invoke intValue: a == null
    }
    static void caseUnboxingMap() { unboxingMap(Collections.singletonMap("a", 1)); }
    static int unboxingMap(Map<String, Integer> map) {
        return map.get("a") + map.get("b"); //>? NullDereference invoke intValue: map.get("b") == null
    }
    static void caseCast() { cast(null); }
    static int cast(Object o) {
        return ((String) o).length(); //> NullDereference invoke length: o == null
    }
    static void caseCastOfCall() { castOfCall(Collections.emptyMap()); }
    static int castOfCall(Map<String, String> map) {
        return map.get("x").length(); //> NullDereference invoke length: map.get("x") == null
    }
    static void caseInterface() { onInterface(null); }
    static int onInterface(List<String> list) {
        return list.size(); //> NullDereference invoke size: list == null
    }
    static void casePrivate() { onPrivate(null); }
    static void onPrivate(Nulls n) {
        n.hidden(); //> NullDereference invoke hidden: n == null
    }
    static void caseArguments() { arguments(null); }
    static boolean arguments(String s) {
        return s.regionMatches(true, 1, "x", 2, 3); //> NullDereference invoke regionMatches: s == null
    }
    static void caseArrayClone() { arrayClone(null); }
    static int[] arrayClone(int[] a) {
        return a.clone(); //> NullDereference invoke clone: a == null
    }
    static void caseWrittenParameter() { writtenParameter("x"); }
    static int writtenParameter(String s) {
        s = text;
        return s.length(); //> NullDereference invoke length: s == null
    }
    static void caseLocal() { local(); }
    static int local() {
        String s = text;
        String t = "x";
        return t.length() + s.length(); //> NullDereference invoke length: s == null
    }
    static void caseReusedSlot() { reusedSlot(); }
    static int reusedSlot() {
        { String first = "x"; first.length(); }
        { String second = text; return second.length(); } //> NullDereference invoke length: second == null
    }
    static void caseTernary() { ternary(true, "x"); }
    static int ternary(boolean b, String s) {
        return (b ? text : s).length(); //>? NullDereference invoke length
    }
    static void caseForEach() { forEach(null); }
    static int forEach(List<String> list) {
        int n = 0;
        for (String s : list) n += s.length(); //> NullDereference invoke iterator: list == null
        return n;
    }
    static void caseForEachArray() { forEachArray(null); }
    static int forEachArray(String[] list) {
        int n = 0;
        for (String s : list) n += s.length(); //> NullDereference length: list == null
        return n;
    }
    static void caseForEachElement() { forEachElement(new String[] {"x", null}); }
    static int forEachElement(String[] list) {
        int n = 0;
        for (String s : list) n += s.length(); //> NullDereference invoke length: s == null
        return n;
    }
    static void caseStringSwitch() { stringSwitch(null); }
    static int stringSwitch(String s) {
        switch (s) { //> NullDereference invoke hashCode: s == null
            case "a": return 1;
            case "b": return 2;
            default: return 3;
        }
    }
    static void caseEnumSwitch() { enumSwitch(null); }
    static int enumSwitch(Thread.State s) {
        switch (s) { //> NullDereference invoke ordinal: s == null
            case NEW: return 1;
            default: return 3;
        }
    }
    static void caseLambda() { Runnable r = () -> text.length(); r.run(); } //> NullDereference invoke length: Nulls.text == null
    static void caseLongBefore() { longBefore(1L, 2.0, null); }
    static int longBefore(long a, double b, String s) {
        return (int) a + s.length() + (int) b; //> NullDereference invoke length: s == null
    }
    static void caseLoopVariable() { loopVariable(new Nulls()); }
    static int loopVariable(Nulls n) {
        int sum = 0;
        while (true) {
            sum += n.number; //> NullDereference getfield number: n == null
            n = n.next;
        }
    }
    static void caseInner() { new Nulls().new Inner().run(); }
    class Inner {
        int run() {
            return name.length() + next.number; //> NullDereference invoke length: Nulls.this.name == null
        }
    }
    static void caseIncrement() { increment(new Nulls(), 0); }
    static int increment(Nulls n, int i) {
        return n.all[i++].number + i; //> NullDereference load Reference: n.all == null
    }
    static void caseCompound() { compound(null); }
    static void compound(int[] a) {
        a[zero()] += 2; //> NullDereference load Int: a == null
    }
    static void caseNested() { nested(new Nulls()); }
    static int nested(Nulls n) {
        return take(n.name.trim(), n.next.name); //> NullDereference invoke trim: n.name == null
    }
    static void caseConstantNull() { constantNull(); }
    static int constantNull() {
        String s = null;
        return s.length(); //> NullDereference invoke length: s == null
    }
    static void caseStringBuilder() { stringBuilder(null); }
    static String stringBuilder(Nulls n) {
        return new StringBuilder().append("a").append(n.name).append("b").toString(); //> NullDereference getfield name: n == null
    }
}
