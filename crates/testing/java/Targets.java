/** Crashes that take a VM of another kind: stack overflows, and failures of static initialisers. */
public final class Targets {
    private static volatile int sink;

    /** Overflows any stack, by two methods in turn. */
    public static int even(int n) {
        return odd(n + 1) + 1;
    }

    static int odd(int n) {
        for (int i = 0; i < 20; i++) {
            sink += i;
        }
        return even(n + 1) + 1;
    }

    /** Goes this deep and comes back. */
    public static int down(int levels) {
        return levels == 0 ? 0 : down(levels - 1) + 1;
    }

    /** Catches the overflow and goes on. */
    public static void survive() {
        try {
            even(0);
        } catch (StackOverflowError e) {
            sink++;
        }
    }

    static final class Overflowing {
        static final int VALUE = even(0);
    }

    /** The overflow is in a static initialiser, whose class is dead from then on. */
    public static int overflowInInitialiser() {
        return Overflowing.VALUE;
    }

    static final class Configured {
        static final int VALUE = Integer.parseInt(System.getProperty("targets.value", "7"));
        static int changed = 1;
    }

    /** Fails or not as the property says. */
    public static int configured() {
        return Configured.VALUE;
    }

    /** Fails unless the classes are new. */
    public static void change() {
        if (Configured.changed++ != 1) {
            throw new IllegalStateException("changed " + Configured.changed);
        }
    }

    /** What programs ask about the classes they are made of. */
    public static void self() throws Exception {
        require(Targets.class.getProtectionDomain().getCodeSource().getLocation() != null, "location");
        require(Targets.class.getResource("Targets.class") != null, "resource");
        require(Targets.class.getClassLoader() == Thread.currentThread().getContextClassLoader(), "loader");
        require(Class.forName("Targets") == Targets.class, "name");
        require(Class.forName("Targets$Configured", true, Targets.class.getClassLoader()) == Configured.class, "nested");
    }

    private static void require(boolean holds, String what) {
        if (!holds) {
            throw new IllegalStateException(what);
        }
    }
}
