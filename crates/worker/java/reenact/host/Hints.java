package reenact.host;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.Vector;

/**
 * How far a predicate is from its other outcome, seen from its arguments just before it is called. Only looks at
 * objects whose exact class is known here, so it never runs code of the program. Which outcome comes about is none of
 * its business: {@link Probe#fails} and {@link Probe#holds} reads that from the call's result.
 */
public final class Hints {
    /** For values between which there is no way by small steps. Larger than any string distance met in practice. */
    private static final double UNRELATED = 1 << 16;
    /** Strings longer than this are compared position by position. */
    private static final int EDIT_LIMIT = 32;
    /** As many elements of a collection are compared. */
    private static final int ELEMENT_LIMIT = 32;

    /** A hint is being worked out: the JDK methods it calls may be spliced themselves. */
    private static boolean busy;
    private static double[] row = new double[EDIT_LIMIT + 1];

    private Hints() {}

    /** A candidate was stopped or overflowed its stack in here. */
    static void forget() {
        busy = false;
    }

    public static void equal(Object left, Object right, int id) {
        if (enter(id)) {
            try {
                Probe.hint(id, otherwise(distance(left, right)));
            } finally {
                busy = false;
            }
        }
    }

    public static void ignoreCase(String left, String right, int id) {
        if (enter(id)) {
            try {
                Probe.hint(id, left == null || right == null ? UNRELATED : otherwise(strings(left, right, true)));
            } finally {
                busy = false;
            }
        }
    }

    public static void prefix(String text, String prefix, int id) {
        if (text == null || prefix == null) {
            return;
        }
        if (enter(id)) {
            try {
                Probe.hint(id, prefix.length() == 0 ? UNRELATED : otherwise(aligned(text, 0, prefix)));
            } finally {
                busy = false;
            }
        }
    }

    public static void suffix(String text, String suffix, int id) {
        if (text == null || suffix == null) {
            return;
        }
        if (enter(id)) {
            try {
                int from = text.length() - suffix.length();
                Probe.hint(id, suffix.length() == 0 ? UNRELATED : otherwise(aligned(text, from, suffix)));
            } finally {
                busy = false;
            }
        }
    }

    /** {@code text.contains(part)}. */
    public static void part(Object text, Object part, int id) {
        if (enter(id)) {
            try {
                boolean known = text instanceof String && part instanceof String;
                Probe.hint(id, known ? otherwise(anywhere((String) text, (String) part)) : 0);
            } finally {
                busy = false;
            }
        }
    }

    public static void empty(Object container, int id) {
        if (enter(id)) {
            try {
                int size = size(container);
                Probe.hint(id, size < 0 ? 0 : size == 0 ? 1 : size);
            } finally {
                busy = false;
            }
        }
    }

    /** {@code contains} of a collection and {@code containsKey} of a map. */
    public static void contains(Object container, Object element, int id) {
        if (enter(id)) {
            try {
                Probe.hint(id, nearest(container, element));
            } catch (RuntimeException changedMeanwhile) {
                Probe.hint(id, 0);
            } finally {
                busy = false;
            }
        }
    }

    /** {@code instanceof}: null has farther to go than an object of another class. */
    public static void instance(Object value, int id) {
        Probe.hint(id, value == null ? 2 : 1);
    }

    /** A test of {@code java.lang.Character}; the number is its place in the splicer's list. */
    public static void character(int c, int test, int id) {
        if (enter(id)) {
            try {
                Probe.hint(id, nearestCharacter((char) c, test));
            } finally {
                busy = false;
            }
        }
    }

    private static boolean enter(int id) {
        if (busy || Probe.muted) {
            return false;
        }
        busy = true;
        // So that nothing old is left should this not come to an end.
        Probe.hint(id, 0);
        return true;
    }

    /** The distance to being different, for what is equal. */
    private static double otherwise(double distance) {
        return distance == 0 ? 1 : distance;
    }

    /** 0 for what {@code equals} calls equal, among the classes known here. */
    static double distance(Object left, Object right) {
        if (left == right) {
            return 0;
        }
        if (left == null || right == null) {
            return UNRELATED;
        }
        if (left instanceof String && right instanceof String) {
            return strings((String) left, (String) right, false);
        }
        if (left.getClass() != right.getClass()) {
            return UNRELATED;
        }
        if (left instanceof Character) {
            return Math.abs((Character) left - (Character) right);
        }
        if (left instanceof Double || left instanceof Float) {
            double gap = Math.abs(((Number) left).doubleValue() - ((Number) right).doubleValue());
            return gap > 0 && gap < Probe.FAR ? gap : 1;
        }
        if (left instanceof Long || left instanceof Integer || left instanceof Short || left instanceof Byte) {
            return wholeNumbers(((Number) left).longValue(), ((Number) right).longValue());
        }
        return 1;
    }

    private static double wholeNumbers(long left, long right) {
        double gap = Math.abs((double) left - (double) right);
        return left != right && gap == 0 ? 1 : gap;
    }

    /**
     * Edit distance: 1 for a character too many or too few, less than 1 for a wrong character, the less the nearer the
     * two are. 0 exactly for equal strings.
     */
    private static double strings(String left, String right, boolean ignoreCase) {
        int start = 0;
        int leftEnd = left.length();
        int rightEnd = right.length();
        while (start < leftEnd && start < rightEnd && fold(left, start, ignoreCase) == fold(right, start, ignoreCase)) {
            start++;
        }
        while (leftEnd > start && rightEnd > start
                && fold(left, leftEnd - 1, ignoreCase) == fold(right, rightEnd - 1, ignoreCase)) {
            leftEnd--;
            rightEnd--;
        }
        int leftLength = leftEnd - start;
        int rightLength = rightEnd - start;
        if (leftLength == 0 || rightLength == 0) {
            return leftLength + rightLength;
        }
        if (leftLength > EDIT_LIMIT || rightLength > EDIT_LIMIT) {
            return byPosition(left, right, start, leftLength, rightLength, ignoreCase);
        }
        return edits(left, right, start, leftLength, rightLength, ignoreCase);
    }

    private static double byPosition(String left, String right, int start, int leftLength, int rightLength, boolean ignoreCase) {
        int common = Math.min(leftLength, rightLength);
        double sum = Math.max(leftLength, rightLength) - common;
        for (int k = 0; k < common; k++) {
            sum += replacing(fold(left, start + k, ignoreCase), fold(right, start + k, ignoreCase));
        }
        return sum;
    }

    private static double edits(String left, String right, int start, int leftLength, int rightLength, boolean ignoreCase) {
        double[] costs = row;
        for (int j = 0; j <= rightLength; j++) {
            costs[j] = j;
        }
        for (int i = 1; i <= leftLength; i++) {
            char c = fold(left, start + i - 1, ignoreCase);
            double diagonal = costs[0];
            costs[0] = i;
            for (int j = 1; j <= rightLength; j++) {
                double replaced = diagonal + replacing(c, fold(right, start + j - 1, ignoreCase));
                diagonal = costs[j];
                double dropped = Math.min(costs[j - 1], costs[j]) + 1;
                costs[j] = Math.min(replaced, dropped);
            }
        }
        return costs[rightLength];
    }

    private static char fold(String text, int at, boolean ignoreCase) {
        char c = text.charAt(at);
        return ignoreCase ? Character.toLowerCase(Character.toUpperCase(c)) : c;
    }

    private static double replacing(char left, char right) {
        int gap = Math.abs(left - right);
        return gap / (gap + 1.0);
    }

    /** How much of {@code part} is not at this place of {@code text}, which may stick out on both sides. */
    private static double aligned(String text, int from, String part) {
        double sum = 0;
        for (int k = 0; k < part.length(); k++) {
            int at = from + k;
            sum += at < 0 || at >= text.length() ? 1 : replacing(text.charAt(at), part.charAt(k));
        }
        return sum;
    }

    private static double anywhere(String text, String part) {
        if (part.length() == 0) {
            return UNRELATED;
        }
        if (part.length() > EDIT_LIMIT || text.length() > 16 * EDIT_LIMIT) {
            return text.contains(part) ? 0 : Math.max(1, part.length() - text.length());
        }
        double best = aligned(text, 0, part);
        for (int from = 1 - part.length(); from < text.length() && best > 0; from++) {
            best = Math.min(best, aligned(text, from, part));
        }
        return best;
    }

    /** -1 for what is not known. */
    static int size(Object container) {
        if (container instanceof String) {
            return ((String) container).length();
        }
        if (isKnownCollection(container)) {
            return ((Collection<?>) container).size();
        }
        return isKnownMap(container) ? ((Map<?, ?>) container).size() : -1;
    }

    private static boolean isKnownCollection(Object container) {
        if (!(container instanceof Collection)) {
            return false;
        }
        Class<?> type = container.getClass();
        return type == ArrayList.class || type == HashSet.class || type == LinkedList.class || type == LinkedHashSet.class
                || type == TreeSet.class || type == ArrayDeque.class || type == Vector.class;
    }

    private static boolean isKnownMap(Object container) {
        if (!(container instanceof Map)) {
            return false;
        }
        Class<?> type = container.getClass();
        return type == HashMap.class || type == LinkedHashMap.class || type == TreeMap.class
                || type == java.util.Hashtable.class || type == java.util.concurrent.ConcurrentHashMap.class;
    }

    /** Distance to the nearest element or key; to the other outcome if it is there; 0 if that cannot be told. */
    private static double nearest(Object container, Object element) {
        Collection<?> elements = elementsOf(container);
        if (elements == null) {
            return 0;
        }
        double best = 2 * UNRELATED;
        int looked = 0;
        for (Object candidate : elements) {
            best = Math.min(best, distance(candidate, element));
            if (best == 0 || ++looked == ELEMENT_LIMIT) {
                break;
            }
        }
        return otherwise(best);
    }

    /**
     * How far a collection is from having an element, or a map a key: 0 if it has; -1 if that cannot be told without asking
     * the program's own objects.
     */
    static double missing(Object container, Object element) {
        Collection<?> elements = elementsOf(container);
        boolean isPlain = element == null || element instanceof String || element instanceof Number && isBoxed(element)
                || element instanceof Character || element instanceof Boolean || element instanceof Class;
        if (elements == null || !isPlain || isSortedByOthers(container)) {
            return -1;
        }
        try {
            return elements.contains(element) ? 0 : nearest(container, element);
        } catch (RuntimeException notComparable) {
            return -1;
        }
    }

    private static boolean isBoxed(Object number) {
        return number instanceof Integer || number instanceof Long || number instanceof Short || number instanceof Byte
                || number instanceof Double || number instanceof Float;
    }

    private static boolean isSortedByOthers(Object container) {
        return container instanceof TreeSet && ((TreeSet<?>) container).comparator() != null
                || container instanceof TreeMap && ((TreeMap<?, ?>) container).comparator() != null;
    }

    private static Collection<?> elementsOf(Object container) {
        if (isKnownCollection(container)) {
            return (Collection<?>) container;
        }
        return isKnownMap(container) ? ((Map<?, ?>) container).keySet() : null;
    }

    /** Steps to the nearest character for which the test comes out the other way. */
    private static int nearestCharacter(char c, int test) {
        boolean here = passes(c, test);
        for (int step = 1; step < 128; step++) {
            if (c - step >= 0 && passes((char) (c - step), test) != here
                    || c + step <= Character.MAX_VALUE && passes((char) (c + step), test) != here) {
                return step;
            }
        }
        // Beyond, the letters and digits of ASCII are what programs mean.
        return Math.max(128, Math.abs(c - 'a'));
    }

    private static boolean passes(char c, int test) {
        switch (test) {
            case 0:
                return Character.isDigit(c);
            case 1:
                return Character.isLetter(c);
            case 2:
                return Character.isLetterOrDigit(c);
            case 3:
                return Character.isWhitespace(c);
            case 4:
                return Character.isUpperCase(c);
            case 5:
                return Character.isLowerCase(c);
            case 6:
                return Character.isSpaceChar(c);
            case 7:
                return Character.isJavaIdentifierStart(c);
            default:
                return Character.isJavaIdentifierPart(c);
        }
    }
}
