package reenact.host;

import java.nio.ByteBuffer;

/**
 * What spliced code calls. Ids are dense numbers handed out by the splicer. A branch probe is told where its distances
 * are: at twice its id that to the jump being taken, behind it that to the jump not being taken. Comparisons of wide
 * numbers get their id in all but the three low bits, which say the condition: 0 eq, 1 ne, 2 lt, 3 ge, 4 gt, 5 le, in the
 * order of the opcodes.
 *
 * <p>Per branch the smallest distance to each outcome is kept. The distance to the outcome that is taken is 0, to the
 * other one it is positive, so "0" always means "went that way".
 *
 * <p>Most calls come from loops and tell nothing new. What they need is short enough for the VM's first compiler to put
 * in place of the call (35 bytes); the rest is done elsewhere, when a distance shrinks.
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

    /** How often each line was hit. What is not 0 is listed. */
    private static int[] count = new int[1 << 12];
    /** What {@link #hit} counts in: the counts, or nothing while nothing is recorded. */
    private static int[] liveCount = count;
    private static final int[] NO_COUNT = new int[0];
    /** Two for each branch, see above. Those that are not both {@link #FAR} are listed. */
    private static double[] distance = new double[0];
    /** Likewise. */
    private static double[] liveDistance = distance;
    private static final double[] NO_DISTANCE = new double[0];
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
        int[] counts = liveCount;
        if (id < counts.length && counts[id] != 0) {
            counts[id]++;
        } else {
            firstHit(id);
        }
    }

    private static void firstHit(int id) {
        if (muted) {
            return;
        }
        if (id >= count.length) {
            growCounts(id);
        }
        int at = lineCount;
        int[] list = withRoom(lines, at);
        // From here on nothing is called: were it listed and not counted because the stack has overflowed, it would be
        // listed twice.
        list[at] = id;
        lines = list;
        lineCount = at + 1;
        count[id] = 1;
    }

    static void mute(boolean isMuted) {
        muted = isMuted;
        liveCount = isMuted ? NO_COUNT : count;
        liveDistance = isMuted ? NO_DISTANCE : distance;
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

    /** {@code ifeq}. */
    public static void equal(int value, int at) {
        equal(value, 0, at);
    }

    /** {@code if_icmpeq}. */
    public static void equal(int left, int right, int at) {
        if (left == right) {
            went(1, at);
        } else {
            went(abs((long) left - right), at + 1);
        }
    }

    /** {@code ifne}. */
    public static void unequal(int value, int at) {
        unequal(value, 0, at);
    }

    /** {@code if_icmpne}. */
    public static void unequal(int left, int right, int at) {
        if (left != right) {
            went(abs((long) left - right), at);
        } else {
            went(1, at + 1);
        }
    }

    /** {@code iflt}. */
    public static void less(int value, int at) {
        less(value, 0, at);
    }

    /** {@code if_icmplt}. */
    public static void less(int left, int right, int at) {
        if (left < right) {
            went((long) right - left, at);
        } else {
            went((long) left - right + 1, at + 1);
        }
    }

    /** {@code ifge}. */
    public static void notLess(int value, int at) {
        notLess(value, 0, at);
    }

    /** {@code if_icmpge}. */
    public static void notLess(int left, int right, int at) {
        if (left >= right) {
            went((long) left - right + 1, at);
        } else {
            went((long) right - left, at + 1);
        }
    }

    /** {@code ifgt}. */
    public static void greater(int value, int at) {
        greater(value, 0, at);
    }

    /** {@code if_icmpgt}. */
    public static void greater(int left, int right, int at) {
        if (left > right) {
            went((long) left - right, at);
        } else {
            went((long) right - left + 1, at + 1);
        }
    }

    /** {@code ifle}. */
    public static void notGreater(int value, int at) {
        notGreater(value, 0, at);
    }

    /** {@code if_icmple}. */
    public static void notGreater(int left, int right, int at) {
        if (left <= right) {
            went((long) right - left + 1, at);
        } else {
            went((long) left - right, at + 1);
        }
    }

    /** {@code if_acmpeq}. Objects of one class count as nearer than others. */
    public static void same(Object left, Object right, int at) {
        if (left == right) {
            went(1, at);
        } else {
            went(apart(left, right), at + 1);
        }
    }

    /** {@code if_acmpne}. */
    public static void different(Object left, Object right, int at) {
        if (left != right) {
            went(apart(left, right), at);
        } else {
            went(1, at + 1);
        }
    }

    private static int apart(Object left, Object right) {
        return left != null && right != null && left.getClass() == right.getClass() ? 1 : 2;
    }

    /** {@code ifnull}. */
    public static void isNull(Object value, int at) {
        went(1, value == null ? at : at + 1);
    }

    /** {@code ifnonnull}. */
    public static void isNotNull(Object value, int at) {
        went(1, value != null ? at : at + 1);
    }

    /** {@code ifeq} on the result of a predicate whose arguments {@link Hints} has seen. */
    public static void fails(int value, int at) {
        went(otherOutcome(at >>> 1), value == 0 ? at : at + 1);
    }

    /** {@code ifne} on such a result. */
    public static void holds(int value, int at) {
        went(otherOutcome(at >>> 1), value != 0 ? at : at + 1);
    }

    private static double otherOutcome(int id) {
        double[] hints = hint;
        double other = 1;
        if (id < hints.length && hints[id] > 0) {
            other = hints[id];
            hints[id] = 0;
        }
        return other;
    }

    /** A branch went one way, whose distance is at this place; the other way was so far. */
    private static void went(double other, int at) {
        double[] distances = liveDistance;
        if (at < distances.length && distances[at] == 0 && other >= distances[at ^ 1]) {
            return;
        }
        nearer(other, at);
    }

    private static void nearer(double other, int at) {
        if (muted) {
            return;
        }
        makeRoom(at >>> 1);
        double[] distances = distance;
        distances[at] = 0;
        if (other < distances[at ^ 1]) {
            distances[at ^ 1] = other;
        }
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
        went(other > 0 ? other : 0x1p63, place(site, goes));
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
        went(gap > 0 ? gap : Double.MIN_NORMAL, place(site, goes));
    }

    /** Where the distance to the way is that the branch goes. */
    private static int place(int site, boolean goes) {
        int at = site >>> 3 << 1;
        return goes ? at : at + 1;
    }

    /** How far apart, and never zero for different numbers. */
    private static double gap(double left, double right) {
        if (left == right) {
            return 0;
        }
        double gap = abs(left - right);
        return gap <= FAR ? gap : FAR;
    }

    /** An outcome of a switch at this distance. */
    private static void near(int id, long other) {
        makeRoom(id);
        if (other < distance[2 * id]) {
            distance[2 * id] = other;
        }
    }

    /**
     * Makes room for the distances and lists the id, if this is its first time in a candidate. The caller sets a distance and
     * calls nothing before that, because what is listed and has no distance would be listed again.
     */
    private static void makeRoom(int id) {
        if (2 * id >= distance.length) {
            growDistances(id);
        }
        int at = branchCount;
        int[] list = withRoom(branches, at);
        double[] distances = distance;
        if (distances[2 * id] == FAR && distances[2 * id + 1] == FAR) {
            list[at] = id;
            branches = list;
            branchCount = at + 1;
        }
    }

    /** The predicate about to be called is this far from its other outcome; 0 if that cannot be told. */
    static void hint(int id, double other) {
        if (muted) {
            return;
        }
        if (id >= hint.length) {
            growDistances(id);
        }
        hint[id] = other;
    }

    private static int[] withRoom(int[] list, int used) {
        return used < list.length ? list : copy(list, 2 * used);
    }

    private static synchronized void growCounts(int id) {
        if (id >= count.length) {
            count = copy(count, size(id));
            liveCount = muted ? NO_COUNT : count;
        }
    }

    private static synchronized void growDistances(int id) {
        if (2 * id < distance.length) {
            return;
        }
        int size = size(id);
        hint = copy(hint, size);
        double[] larger = copy(distance, 2 * size);
        for (int k = distance.length; k < larger.length; k++) {
            larger[k] = FAR;
        }
        distance = larger;
        liveDistance = muted ? NO_DISTANCE : larger;
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
     * outcomes, then (id, distance to taken, distance to not taken) each.
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
            at = drain(distance[2 * id], at);
            at = drain(distance[2 * id + 1], at);
        }
        out.asIntBuffer().put(drained, 0, at);
        out.position(out.position() + 4 * at);
        forget();
    }

    /** The order of the halves is that of a little-endian buffer. */
    private static int drain(double value, int at) {
        long bits = Double.doubleToRawLongBits(value);
        drained[at] = (int) bits;
        drained[at + 1] = (int) (bits >>> 32);
        return at + 2;
    }

    /** An upper bound for what {@link #drain} writes now. */
    public static int drainSize() {
        return 8 + 8 * lineCount + 20 * branchCount;
    }

    public static void forget() {
        for (int k = 0; k < lineCount; k++) {
            count[lines[k]] = 0;
        }
        for (int k = 0; k < branchCount; k++) {
            int id = branches[k];
            distance[2 * id] = FAR;
            distance[2 * id + 1] = FAR;
        }
        lineCount = 0;
        branchCount = 0;
        mute(false);
    }
}
