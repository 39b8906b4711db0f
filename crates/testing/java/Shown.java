import java.util.ArrayList;
import java.util.List;

/** What candidates show beyond distances: the log is what the tests expect, as the program itself sees it. */
public class Shown {
    public int number;
    protected long wide;
    private double real;
    boolean flag;
    String name;
    Shown next;
    Object[] things;
    int[] numbers;

    /** A ring of two, with one object in several places. */
    public static Shown ring(int number) {
        Shown one = new Shown();
        Shown two = new Special();
        one.number = number;
        one.wide = 1L << 40;
        one.real = -0.5;
        one.flag = true;
        one.name = "one";
        one.next = two;
        one.things = new Object[] {two, null, "one", one};
        one.numbers = new int[] {3, -4};
        two.next = one;
        return one;
    }

    /** A list that is longer than anybody wants to see. */
    public static Shown chain(int length) {
        Shown first = null;
        for (int k = 0; k < length; k++) {
            Shown one = new Shown();
            one.number = k;
            one.next = first;
            first = one;
        }
        return first;
    }

    public int value() { return number; }

    static class Special extends Shown {
        int extra = 7;

        @Override
        public int value() { return extra; }
    }

    /** Which ways it goes depends on the number; the order is that of the numbers. */
    public static int ways(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            if (i % 2 == 0) {
                sum++;
            }
            switch (i) {
                case 1:
                    sum += 10;
                    break;
                case 2:
                case 3:
                    sum += 20;
                    break;
                default:
                    sum += 30;
            }
        }
        long wide = sum;
        return wide > 60L ? sum : -sum;
    }

    public static int calls(int n) {
        List<Shown> all = new ArrayList<Shown>();
        all.add(ring(n));
        all.add(ring(n).next);
        int sum = 0;
        for (Shown one : all) {
            sum += one.value();
        }
        return sum;
    }

    public void here(int k, String text, int[] given) { number += k; }
}
