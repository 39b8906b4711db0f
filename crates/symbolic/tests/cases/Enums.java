public class Enums {
    enum Color {
        RED, GREEN, BLUE;

        Color next() {
            return values()[(ordinal() + 1) % values().length];
        }
    }

    enum Op {
        ADD("+") {
            int apply(int a, int b) {
                return a + b;
            }
        },
        DIV("/") {
            int apply(int a, int b) {
                return a / b;
            }
        };

        final String sign;

        Op(String sign) {
            this.sign = sign;
        }

        abstract int apply(int a, int b);
    }

    static final int[] TABLE = {3, 1, 4, 1, 5, 9};
    private static final int[] HIDDEN = {2, 7, 1, 8};
    static final String NAME = String.valueOf(12) + "x";
    static final Object LOCK = new Object();
    static final long BIG = Long.MAX_VALUE / 3;

    static int switched(int a) {
        Color color = Color.values()[a];
        switch (color) {
            case RED:
                return 10;
            case BLUE:
                return 30;
            default:
                return color.name().length();
        }
    }

    static int dispatched(int a, int b) {
        Op op = a > 2 ? Op.ADD : Op.DIV;
        return op.apply(a, b) + op.sign.length() + op.ordinal();
    }

    static int next(int a) {
        Color color = a % 2 == 0 ? Color.RED : Color.BLUE;
        return color.next() == Color.RED ? color.compareTo(Color.GREEN) : color.next().ordinal();
    }

    static String named(int a) {
        return Color.valueOf(a > 3 ? "GREEN" : "PINK") + NAME;
    }

    static int constants(int a) {
        return HIDDEN[a] + HIDDEN.length + (LOCK == null ? 1 : 0) + (int) BIG;
    }
}
