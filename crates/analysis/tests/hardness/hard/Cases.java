package hard;

/** The names of the methods begin with what they are. */
public class Cases {
    int field;

    int easySum(int[] values) {
        int sum = 0;
        for (int i = 0; i < values.length; i++) {
            sum += values[i];
        }
        return sum;
    }

    int easyConstantRounds(int limit) {
        int found = 0;
        for (int i = 0; i < 8; i++) {
            if ((limit >> i & 1) == 0) {
                found++;
            }
        }
        return found;
    }

    boolean loopConditional(int[] values) {
        int found = 0;
        for (int i = 0; i < values.length; i++) {
            if (values[i] > 3) {
                found++;
            }
        }
        return found > 2;
    }

    boolean loopInner(String text) {
        int found = 0;
        for (int i = 0; i < text.length(); i++) {
            for (int j = 0; j < i; j++) {
                found += j;
            }
        }
        return found == 7;
    }

    int recursionDirect(int n) {
        return n == 0 ? 1 : n * recursionDirect(n - 1);
    }

    boolean recursionEven(int n) {
        return n == 0 || recursionOdd(n - 1);
    }

    boolean recursionOdd(int n) {
        return n != 0 && recursionEven(n - 1);
    }

    int easyCallsRecursive(int n) {
        return recursionDirect(n) + 1;
    }

    int nestedEleven(int a) {
        if (a > 0) { if (a > 1) { if (a > 2) { if (a > 3) { if (a > 4) { if (a > 5) {
            if (a > 6) { if (a > 7) { if (a > 8) { if (a > 9) { if (a > 10) {
                field = a;
            } } } } }
        } } } } } }
        return field;
    }

    int easyTen(int a) {
        if (a > 0) { if (a > 1) { if (a > 2) { if (a > 3) { if (a > 4) { if (a > 5) {
            if (a > 6) { if (a > 7) { if (a > 8) { if (a > 9) {
                field = a;
            } } } }
        } } } } } }
        return field;
    }

    native int bodyless(int a);
}
