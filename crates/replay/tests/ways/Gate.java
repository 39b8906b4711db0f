package ways;

/** Two ways lead to the failure, and one does not. */
public class Gate {
    private int opened;
    private int tries;

    public static String enter(int kind, String name) {
        Gate gate = new Gate();
        if (kind == 7) {
            gate.open();
        } else if (kind == 9) {
            gate.force();
        }
        return gate.pass(name);
    }

    public static int rounds(int count, int[] sizes) {
        int sum = 0;
        for (int i = 0; i < count; i++) {
            sum += share(sizes[i], i);
        }
        return sum;
    }

    private static int share(int size, int round) {
        return round == 2 ? 100 / size : size;
    }

    void open() {
        opened = 1;
    }

    void force() {
        opened = 2;
        tries++;
    }

    static void neverCalled() {
        System.out.println();
    }

    String pass(String name) {
        if (opened == 0) {
            return "closed";
        }
        return name.trim();
    }
}
