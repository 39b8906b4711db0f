package reenact.host;

import java.nio.ByteBuffer;

/**
 * What spliced code calls. Ids are dense numbers handed out by the splicer; a branch probe gets its id in all but the
 * three low bits, which say the condition: 0 eq, 1 ne, 2 lt, 3 ge, 4 gt, 5 le, in the order of the opcodes.
 *
 * <p>Per branch the smallest distance to each outcome is kept. The distance to the outcome that is taken is 0, to the
 * other one it is positive, so "0" always means "went that way".
 *
 * <p>Threads of one candidate share all counters without synchronisation: counts may be lost, nothing breaks. Uses
 * nothing but arrays and arithmetic, because it may be called from the innermost classes of the JDK: a call of {@code
 * Math.abs} or {@code System.arraycopy} from here would come back here when those classes are spliced.
 */
public final class Probe {
    /** Largest distance; also stands for "not a number", which no arithmetic brings nearer. */
    static final double FAR = Double.MAX_VALUE;

    static int budget = Integer.MAX_VALUE;
    static int elements = Integer.MAX_VALUE;
    /**
     * Nothing is recorded while this is set, by {@link #mute}: class initialisers run in one candidate and not in the next.
     */
    static boolean muted;

    private static int[] count = new int[1 << 12];
    /** What {@link #hit} counts in: the counts, or nothing while nothing is recorded. */
    private static int[] live = count;
    private static final int[] NOTHING = new int[0];
    private static boolean[] reached = new boolean[0];
    private static double[] taken = new double[0];
    private static double[] missed = new double[0];
    /** Distance to the other outcome of a predicate that is being called; 0 if unknown. */
    private static double[] hint = new double[0];
    /** Ids of the lines and of the branches and outcomes that were reached, in order of first appearance. */
    private static int[] lines = new int[1 << 8];
    private static int lineCount;
    private static int[] branches = new int[1 << 8];
    private static int branchCount;
    private static int[] drained = new int[1 << 10];

    private Probe() {}

    /** A loop goes round or a method is entered. */
    public static void step() {
        if (--budget < 0) {
            Stop.outOfSteps();
        }
    }

    /** A line starts. */
    public static void hit(int id) {
        // So short that the VM puts it in place of the call.
        int[] counts = live;
        if (id >= counts.length || counts[id]++ == 0) {
            firstHit(id);
        }
    }

    private static void firstHit(int id) {
        if (muted) {
            return;
        }
        if (id >= count.length) {
            growCounts(id);
            count[id]++;
        }
        lines = withRoom(lines, lineCount);
        lines[lineCount++] = id;
    }

    static void mute(boolean isMuted) {
        muted = isMuted;
        live = isMuted ? NOTHING : count;
    }

    /** An array of this length is about to be created. A negative length is left to throw what it throws. */
    public static void array(int length) {
        if (length > elements) {
            Stop.raise(Stop.ARRAY, length);
        }
    }

    /** An array of arrays; of more dimensions the inner two. */
    public static void array(int outer, int inner) {
        if (outer > 0 && inner > 0 && (long) outer * inner > elements) {
            Stop.raise(Stop.ARRAY, outer);
        }
        array(outer);
        array(inner);
    }

    /** {@code ifeq} .. {@code ifle}: a number compared with zero. */
    public static void branch(int value, int site) {
        byDifference(value, site);
    }

    /** {@code if_icmpeq} .. {@code if_icmple}. */
    public static void branch(int left, int right, int site) {
        byDifference((long) left - right, site);
    }

    /** {@code if_acmpeq}, {@code if_acmpne}. Objects of one class count as nearer than others. */
    public static void same(Object left, Object right, int site) {
        if (left == right) {
            record(site >>> 3, (site & 7) == 0, 1);
        } else {
            boolean alike = left != null && right != null && left.getClass() == right.getClass();
            record(site >>> 3, (site & 7) != 0, alike ? 1 : 2);
        }
    }

    /** {@code ifnull}, {@code ifnonnull}. */
    public static void isNull(Object value, int site) {
        record(site >>> 3, (value == null) == ((site & 7) == 0), 1);
    }

    /** {@code ifeq}, {@code ifne} on the result of a predicate whose arguments {@link Hints} has seen. */
    public static void predicate(int value, int site) {
        int id = site >>> 3;
        double other = 1;
        if (id < reached.length && hint[id] > 0) {
            other = hint[id];
            hint[id] = 0;
        }
        record(id, (value == 0) == ((site & 7) == 0), other);
    }

    /** {@code lcmp} and the branch on its result. */
    public static int compare(long left, long right, int site) {
        long difference = left - right;
        boolean overflows = ((left ^ right) & (left ^ difference)) < 0;
        int result = left < right ? -1 : left == right ? 0 : 1;
        if (overflows) {
            wide(result, abs((double) left - (double) right), site);
        } else {
            byDifference(difference, site);
        }
        return result;
    }

    /** {@code fcmpl} and the branch on its result. */
    public static int compareNanLess(float left, float right, int site) {
        return compareNanLess((double) left, (double) right, site);
    }

    /** {@code fcmpg} and the branch on its result. */
    public static int compareNanGreater(float left, float right, int site) {
        return compareNanGreater((double) left, (double) right, site);
    }

    /** {@code dcmpl} and the branch on its result. */
    public static int compareNanLess(double left, double right, int site) {
        int result = left > right ? 1 : left == right ? 0 : -1;
        wide(result, gap(left, right), site);
        return result;
    }

    /** {@code dcmpg} and the branch on its result. */
    public static int compareNanGreater(double left, double right, int site) {
        int result = left < right ? -1 : left == right ? 0 : 1;
        wide(result, gap(left, right), site);
        return result;
    }

    /**
     * {@code tableswitch}: {@code outcomes} has for each value from {@code low} on the number of its outcome, 0 being
     * the default; outcome k has the id {@code first + k}.
     */
    public static void selectTable(int value, String outcomes, int low, int first) {
        if (muted) {
            return;
        }
        int cases = outcomes.length();
        // As a long, because the distance to the table can exceed an int.
        long index = (long) value - low;
        boolean inside = index >= 0 && index < cases;
        int chosen = inside ? outcomes.charAt((int) index) : 0;
        for (int k = 0; k < cases; k++) {
            int outcome = outcomes.charAt(k);
            if (outcome != 0) {
                near(first + outcome, outcome == chosen ? 0 : abs(index - k));
            }
        }
        near(first, chosen == 0 ? 0 : wayOut(outcomes, (int) index));
        count[first + chosen]++;
    }

    /** Steps from a case of a table to the nearest value that is none. */
    private static long wayOut(String outcomes, int index) {
        int up = index;
        while (up < outcomes.length() && outcomes.charAt(up) != 0) {
            up++;
        }
        int down = index;
        while (down >= 0 && outcomes.charAt(down) != 0) {
            down--;
        }
        return up - index < index - down ? up - index : index - down;
    }

    /** {@code lookupswitch}: {@code cases} has for each key its high half, its low half and its outcome, keys ascending. */
    public static void selectLookup(int value, String cases, int first) {
        if (muted) {
            return;
        }
        int chosen = 0;
        int at = -1;
        for (int k = 0; k < cases.length(); k += 3) {
            if (key(cases, k) == value) {
                chosen = cases.charAt(k + 2);
                at = k;
            }
        }
        for (int k = 0; k < cases.length(); k += 3) {
            int outcome = cases.charAt(k + 2);
            if (outcome != 0) {
                near(first + outcome, outcome == chosen ? 0 : abs((long) value - key(cases, k)));
            }
        }
        near(first, chosen == 0 ? 0 : wayOut(cases, at, value));
        count[first + chosen]++;
    }

    private static int key(String cases, int at) {
        return cases.charAt(at) << 16 | cases.charAt(at + 1);
    }

    /** Steps from a key to the nearest value that is none, along unbroken runs of keys. */
    private static long wayOut(String cases, int at, int value) {
        int up = 0;
        while (at + 3 * up < cases.length() && key(cases, at + 3 * up) == value + up && cases.charAt(at + 3 * up + 2) != 0) {
            up++;
        }
        int down = 0;
        while (at - 3 * down >= 0 && key(cases, at - 3 * down) == value - down && cases.charAt(at - 3 * down + 2) != 0) {
            down++;
        }
        return up < down ? up : down;
    }

    /** A difference of whole numbers, compared with zero. */
    private static void byDifference(long difference, int site) {
        boolean goes;
        long other;
        switch (site & 7) {
            case 0:
                goes = difference == 0;
                other = goes ? 1 : abs(difference);
                break;
            case 1:
                goes = difference != 0;
                other = goes ? abs(difference) : 1;
                break;
            case 2:
                goes = difference < 0;
                other = goes ? -difference : difference + 1;
                break;
            case 3:
                goes = difference >= 0;
                other = goes ? difference + 1 : -difference;
                break;
            case 4:
                goes = difference > 0;
                other = goes ? difference : 1 - difference;
                break;
            default:
                goes = difference <= 0;
                other = goes ? 1 - difference : difference;
        }
        // One more than the largest long, or the opposite of the smallest, wraps round to the smallest.
        record(site >>> 3, goes, other > 0 ? other : 0x1p63);
    }

    /** A comparison with a known result, whose operands are {@code gap} apart. */
    private static void wide(int result, double gap, int site) {
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
        // Equal operands are one smallest step away from being unequal.
        record(site >>> 3, goes, gap > 0 ? gap : Double.MIN_NORMAL);
    }

    /** How far apart, and never zero for different numbers. */
    private static double gap(double left, double right) {
        if (left == right) {
            return 0;
        }
        double gap = abs(left - right);
        return gap <= FAR ? gap : FAR;
    }

    static void record(int id, boolean goes, double other) {
        if (muted) {
            return;
        }
        reach(id);
        count[id]++;
        if (goes) {
            taken[id] = 0;
            if (other < missed[id]) {
                missed[id] = other;
            }
        } else {
            missed[id] = 0;
            if (other < taken[id]) {
                taken[id] = other;
            }
        }
    }

    /** An outcome of a switch at this distance. Its count is kept by the caller. */
    private static void near(int id, long distance) {
        reach(id);
        if (distance < taken[id]) {
            taken[id] = distance;
        }
    }

    /** Makes room for the id and, the first time in a candidate, sets its distances to {@link #FAR}. */
    private static void reach(int id) {
        if (id >= reached.length) {
            growDistances(id);
        }
        if (!reached[id]) {
            reached[id] = true;
            taken[id] = FAR;
            missed[id] = FAR;
            branches = withRoom(branches, branchCount);
            branches[branchCount++] = id;
        }
    }

    /** The predicate about to be called is this far from its other outcome; 0 if that cannot be told. */
    static void hint(int id, double distance) {
        if (muted) {
            return;
        }
        if (id >= reached.length) {
            growDistances(id);
        }
        hint[id] = distance;
    }

    private static int[] withRoom(int[] list, int used) {
        return used < list.length ? list : copy(list, 2 * used);
    }

    private static synchronized void growCounts(int id) {
        if (id >= count.length) {
            count = copy(count, size(id));
            live = muted ? NOTHING : count;
        }
    }

    private static synchronized void growDistances(int id) {
        growCounts(id);
        if (id < reached.length) {
            return;
        }
        int size = size(id);
        hint = copy(hint, size);
        taken = copy(taken, size);
        missed = copy(missed, size);
        // Last, because its length is what others look at.
        boolean[] more = new boolean[size];
        for (int k = 0; k < reached.length; k++) {
            more[k] = reached[k];
        }
        reached = more;
    }

    private static int size(int id) {
        int size = 1 << 12;
        while (size <= id) {
            size <<= 1;
        }
        return size;
    }

    private static int[] copy(int[] from, int size) {
        int[] to = new int[size];
        for (int k = 0; k < from.length; k++) {
            to[k] = from[k];
        }
        return to;
    }

    private static double[] copy(double[] from, int size) {
        double[] to = new double[size];
        for (int k = 0; k < from.length; k++) {
            to[k] = from[k];
        }
        return to;
    }

    private static long abs(long value) {
        return value < 0 ? -value : value;
    }

    private static double abs(double value) {
        return value < 0 ? -value : value;
    }

    /**
     * Writes what the candidate reached and forgets it: number of lines, then (id, count) each; number of branches and
     * outcomes, then (id, count, distance to taken, distance to not taken) each.
     */
    public static void drain(ByteBuffer out) {
        if (4 * drained.length < drainSize()) {
            drained = new int[drainSize()];
        }
        // Into an array first: a buffer takes one long list faster than many numbers.
        int at = 0;
        drained[at++] = lineCount;
        for (int k = 0; k < lineCount; k++) {
            int id = lines[k];
            drained[at++] = id;
            drained[at++] = count[id];
        }
        drained[at++] = branchCount;
        for (int k = 0; k < branchCount; k++) {
            int id = branches[k];
            drained[at++] = id;
            drained[at++] = count[id];
            at = drain(taken[id], at);
            at = drain(missed[id], at);
        }
        out.asIntBuffer().put(drained, 0, at);
        out.position(out.position() + 4 * at);
        forget();
    }

    /** The order of the halves is that of a little-endian buffer. */
    private static int drain(double distance, int at) {
        long bits = Double.doubleToRawLongBits(distance);
        drained[at] = (int) bits;
        drained[at + 1] = (int) (bits >>> 32);
        return at + 2;
    }

    /** An upper bound for what {@link #drain} writes now. */
    public static int drainSize() {
        return 8 + 8 * lineCount + 24 * branchCount;
    }

    public static void forget() {
        for (int k = 0; k < lineCount; k++) {
            count[lines[k]] = 0;
        }
        for (int k = 0; k < branchCount; k++) {
            int id = branches[k];
            count[id] = 0;
            reached[id] = false;
        }
        lineCount = 0;
        branchCount = 0;
        mute(false);
    }
}
