package reenact.host;

import java.nio.ByteBuffer;

/**
 * Stands in for {@link Probe} where the order of branch outcomes is wanted: notes which way a branch goes, then does what
 * the probe does. An outcome is the place of its distance: twice the id for the jump taken, one more for the jump not taken.
 */
public final class Trace {
    private static int[] outcomes = new int[0];
    private static int count;

    private Trace() {}

    /** How many outcomes are kept, the first ones. */
    static void limit(int most) {
        outcomes = new int[most];
        count = 0;
    }

    static void forget() {
        count = 0;
    }

    /** Number of outcomes, then each. */
    static void drain(ByteBuffer out) {
        int noted = Math.min(count, outcomes.length);
        out.putInt(noted);
        for (int k = 0; k < noted; k++) {
            out.putInt(outcomes[k]);
        }
        forget();
    }

    static int drainSize() {
        return 4 + 4 * count;
    }

    private static void note(boolean isTaken, int at) {
        int next = count;
        if (!Probe.muted && next < outcomes.length) {
            outcomes[next] = isTaken ? at : at + 1;
            count = next + 1;
        }
    }

    private static void noteWide(int result, int site) {
        boolean goes;
        switch (site & 7) {
            case 0:
                goes = result == 0;
                break;
            case 1:
                goes = result != 0;
                break;
            case 2:
                goes = result < 0;
                break;
            case 3:
                goes = result >= 0;
                break;
            case 4:
                goes = result > 0;
                break;
            default:
                goes = result <= 0;
        }
        note(goes, site >>> 3 << 1);
    }

    public static void equal(int value, int at) {
        note(value == 0, at);
        Probe.equal(value, at);
    }

    public static void equal(int left, int right, int at) {
        note(left == right, at);
        Probe.equal(left, right, at);
    }

    public static void unequal(int value, int at) {
        note(value != 0, at);
        Probe.unequal(value, at);
    }

    public static void unequal(int left, int right, int at) {
        note(left != right, at);
        Probe.unequal(left, right, at);
    }

    public static void less(int value, int at) {
        note(value < 0, at);
        Probe.less(value, at);
    }

    public static void less(int left, int right, int at) {
        note(left < right, at);
        Probe.less(left, right, at);
    }

    public static void notLess(int value, int at) {
        note(value >= 0, at);
        Probe.notLess(value, at);
    }

    public static void notLess(int left, int right, int at) {
        note(left >= right, at);
        Probe.notLess(left, right, at);
    }

    public static void greater(int value, int at) {
        note(value > 0, at);
        Probe.greater(value, at);
    }

    public static void greater(int left, int right, int at) {
        note(left > right, at);
        Probe.greater(left, right, at);
    }

    public static void notGreater(int value, int at) {
        note(value <= 0, at);
        Probe.notGreater(value, at);
    }

    public static void notGreater(int left, int right, int at) {
        note(left <= right, at);
        Probe.notGreater(left, right, at);
    }

    public static void same(Object left, Object right, int at) {
        note(left == right, at);
        Probe.same(left, right, at);
    }

    public static void different(Object left, Object right, int at) {
        note(left != right, at);
        Probe.different(left, right, at);
    }

    public static void isNull(Object value, int at) {
        note(value == null, at);
        Probe.isNull(value, at);
    }

    public static void isNotNull(Object value, int at) {
        note(value != null, at);
        Probe.isNotNull(value, at);
    }

    public static void fails(int value, int at) {
        note(value == 0, at);
        Probe.fails(value, at);
    }

    public static void holds(int value, int at) {
        note(value != 0, at);
        Probe.holds(value, at);
    }

    public static int compare(long left, long right, int site) {
        int result = Probe.compare(left, right, site);
        noteWide(result, site);
        return result;
    }

    public static int compareNanLess(float left, float right, int site) {
        int result = Probe.compareNanLess(left, right, site);
        noteWide(result, site);
        return result;
    }

    public static int compareNanGreater(float left, float right, int site) {
        int result = Probe.compareNanGreater(left, right, site);
        noteWide(result, site);
        return result;
    }

    public static int compareNanLess(double left, double right, int site) {
        int result = Probe.compareNanLess(left, right, site);
        noteWide(result, site);
        return result;
    }

    public static int compareNanGreater(double left, double right, int site) {
        int result = Probe.compareNanGreater(left, right, site);
        noteWide(result, site);
        return result;
    }

    public static void selectTable(int value, String outcomes, int low, int first) {
        long index = (long) value - low;
        boolean inside = index >= 0 && index < outcomes.length();
        note(true, first + (inside ? outcomes.charAt((int) index) : 0) << 1);
        Probe.selectTable(value, outcomes, low, first);
    }

    public static void selectLookup(int value, String cases, int first) {
        int chosen = 0;
        for (int k = 0; k < cases.length(); k += 3) {
            if ((cases.charAt(k) << 16 | cases.charAt(k + 1)) == value) {
                chosen = cases.charAt(k + 2);
            }
        }
        note(true, first + chosen << 1);
        Probe.selectLookup(value, cases, first);
    }
}
