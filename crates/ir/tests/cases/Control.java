/** Branches, loops, switches, and conditional expressions that leave values on the operand stack. */
public class Control {
    static int absolute(int a) {
        if (a < 0) {
            return -a;
        }
        return a;
    }

    static int sum(int n) {
        int sum = 0;
        for (int i = 0; i < (n & 63); i++) {
            if (i % 3 == 0) {
                continue;
            }
            if (sum > 100) {
                break;
            }
            sum += i;
        }
        return sum;
    }

    static int nested(int n, int m) {
        int found = -1;
        outer:
        for (int i = 0; i < (n & 15); i++) {
            int j = 0;
            while (true) {
                if (i * j > (m & 127)) {
                    continue outer;
                }
                if (i + j == 20) {
                    found = i * 100 + j;
                    break outer;
                }
                if (j++ > 15) {
                    break;
                }
            }
        }
        return found;
    }

    static int table(int a) {
        switch (a) {
            case 0:
                return 10;
            case 1:
            case 2:
                a += 5;
            case 3:
                a *= 2;
                break;
            case 5:
                return 7;
            default:
                a = -1;
        }
        return a;
    }

    static int lookup(int a) {
        switch (a) {
            case -1000:
                return 1;
            case 0:
                return 2;
            case 99999:
                return 3;
            case Integer.MAX_VALUE:
                return 4;
            default:
                return a % 5 == 0 ? 5 : 6;
        }
    }

    static int arguments(int a, int b, boolean c) {
        return three(a, c ? b : a > b ? 5 : -a, c || a < b ? 1 : 0);
    }

    static int sameValueCarried(int a, boolean c) {
        int[] box = {a, a + 1};
        box[c ? 1 : 0] += c ? a : -a;
        return box[0] * 31 + box[1];
    }

    static long wideValueCarried(long a, double b, boolean c) {
        return a * 3 + (c ? (long) b : a / 2) + (long) (b + (c ? 1.5 : a));
    }

    static int condition(int a, int b, int c) {
        int result = 0;
        do {
            if (a > b && b > c || c == a) {
                result += 1;
            } else if (!(a < 0) && (b != 7 || c == 3)) {
                result += 10;
            }
            a--;
            c++;
        } while (a > 0 && a < 20 && result < 50);
        return result;
    }

    static int references(Object a, Object b) {
        return (a == b ? 1 : 0) + (a != null ? 2 : 0) + (b == null ? 4 : 0);
    }

    static int slotsReused(int a) {
        int result = 0;
        {
            int first = a + 1;
            result += first;
        }
        {
            long second = a * 2L;
            result += (int) second;
        }
        {
            float third = a / 3f;
            result += (int) third;
        }
        {
            int[] fourth = new int[] {a};
            result += fourth[0];
        }
        return result;
    }

    static int three(int a, int b, int c) {
        return a * 10000 + b * 100 + c;
    }

    static int recursive(int n) {
        int m = n & 15;
        return m < 2 ? m : recursive(m - 1) + recursive(m - 2);
    }
}
