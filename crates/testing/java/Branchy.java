import java.util.Collection;
import java.util.Map;

/** One branch per method, so that a test can tell which probe belongs to it. Spliced by the tests. */
final class Branchy {
    static boolean intEq(int a, int b) { return a == b; }
    static boolean intNe(int a, int b) { return a != b; }
    static boolean intLt(int a, int b) { return a < b; }
    static boolean intGe(int a, int b) { return a >= b; }
    static boolean intGt(int a, int b) { return a > b; }
    static boolean intLe(int a, int b) { return a <= b; }

    static boolean zeroEq(int a) { return a == 0; }
    static boolean zeroNe(int a) { return a != 0; }
    static boolean zeroLt(int a) { return a < 0; }
    static boolean zeroGe(int a) { return a >= 0; }
    static boolean zeroGt(int a) { return a > 0; }
    static boolean zeroLe(int a) { return a <= 0; }

    static boolean longEq(long a, long b) { return a == b; }
    static boolean longNe(long a, long b) { return a != b; }
    static boolean longLt(long a, long b) { return a < b; }
    static boolean longGe(long a, long b) { return a >= b; }
    static boolean longGt(long a, long b) { return a > b; }
    static boolean longLe(long a, long b) { return a <= b; }

    static boolean floatEq(float a, float b) { return a == b; }
    static boolean floatNe(float a, float b) { return a != b; }
    static boolean floatLt(float a, float b) { return a < b; }
    static boolean floatGe(float a, float b) { return a >= b; }
    static boolean floatGt(float a, float b) { return a > b; }
    static boolean floatLe(float a, float b) { return a <= b; }

    static boolean doubleEq(double a, double b) { return a == b; }
    static boolean doubleNe(double a, double b) { return a != b; }
    static boolean doubleLt(double a, double b) { return a < b; }
    static boolean doubleGe(double a, double b) { return a >= b; }
    static boolean doubleGt(double a, double b) { return a > b; }
    static boolean doubleLe(double a, double b) { return a <= b; }

    static boolean same(Object a, Object b) { return a == b; }
    static boolean notSame(Object a, Object b) { return a != b; }
    static boolean isNull(Object a) { return a == null; }
    static boolean notNull(Object a) { return a != null; }
    static int instance(Object a) { if (a instanceof Number) { return 1; } return 0; }

    static int equal(Object a, Object b) { if (a.equals(b)) { return 1; } return 0; }
    static int stringEqual(String a, String b) { if (!a.equals(b)) { return 0; } return 1; }
    static int ignoreCase(String a, String b) { if (a.equalsIgnoreCase(b)) { return 1; } return 0; }
    static int prefix(String a, String b) { if (a.startsWith(b)) { return 1; } return 0; }
    static int suffix(String a, String b) { if (a.endsWith(b)) { return 1; } return 0; }
    static int part(String a, String b) { if (a.contains(b)) { return 1; } return 0; }
    static int stringEmpty(String a) { if (a.isEmpty()) { return 1; } return 0; }
    static int collectionEmpty(Collection<?> a) { if (a.isEmpty()) { return 1; } return 0; }
    static int contains(Collection<?> a, Object b) { if (a.contains(b)) { return 1; } return 0; }
    static int containsKey(Map<?, ?> a, Object b) { if (a.containsKey(b)) { return 1; } return 0; }
    static int digit(char c) { if (Character.isDigit(c)) { return 1; } return 0; }
    static int letter(char c) { if (Character.isLetter(c)) { return 1; } return 0; }
    static int space(char c) { if (Character.isWhitespace(c)) { return 1; } return 0; }

    /** A table with a hole and two cases that lead to one place. */
    static int table(int a) {
        switch (a) {
            case 3: return 1;
            case 4: return 2;
            case 5: case 8: return 3;
            case 7: return 4;
            default: return 0;
        }
    }

    static int lookup(int a) {
        switch (a) {
            case Integer.MIN_VALUE: return 1;
            case -70000: return 2;
            case 10: case 11: case 1000000: return 3;
            case Integer.MAX_VALUE: return 4;
            default: return 0;
        }
    }

    private Branchy() {}
}
