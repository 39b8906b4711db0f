/** Methods whose inputs can all be tried: bytes, booleans and a few more bits. */
public class Small {
    static class Cell {
        int a;
        Cell next;

        Cell(int a) {
            this.a = a;
        }

        int half() {
            return a / 2;
        }
    }

    static class Odd extends Cell {
        Odd(int a) {
            super(a);
        }

        int half() {
            return a / (a - 5);
        }
    }

    enum Color {
        RED, GREEN, BLUE
    }

    static final int[] TABLE = {5, 0, 7};
    private static final int[] HIDDEN = {5, 0, 7};

    static int branches(byte a, boolean b) {
        if (a > 10 && b) {
            return a * 2;
        } else if (a < -100 || !b) {
            return -a;
        }
        return a % 7;
    }

    static int loops(byte a) {
        int sum = 0;
        for (int i = 0; i < (a & 3); i++) {
            sum += i * a;
            if (sum > 20) {
                break;
            }
        }
        return sum;
    }

    static int divided(byte a, boolean b) {
        int divisor = b ? a : a - 3;
        return 100 / divisor;
    }

    static int caught(byte a) {
        try {
            return 10 / (a & 7);
        } catch (ArithmeticException e) {
            return -1;
        } finally {
            a++;
        }
    }

    static int arrays(byte a, boolean b) {
        int[] array = new int[a & 3];
        if (b) {
            array[1] = a;
        }
        return array[array.length - 1];
    }

    static int sizes(byte a) {
        byte[] array = new byte[a];
        return array.length;
    }

    static int switched(byte a) {
        switch (a) {
            case 1:
                a += 2;
            case 2:
                return a;
            case 100:
                return 7;
            case -128:
                throw new IllegalStateException();
            default:
                return a >> 2;
        }
    }

    static int enums(byte a) {
        Color color = Color.values()[a & 3];
        switch (color) {
            case RED:
                return 1;
            case BLUE:
                return 2;
            default:
                return color.ordinal() + 10;
        }
    }

    static int table(byte a) {
        return HIDDEN[a];
    }

    static int objects(byte a, boolean b) {
        Cell cell = b ? new Odd(a) : new Cell(a);
        Cell other = a > 100 ? null : cell;
        cell.next = other;
        return cell.next.half();
    }

    static int casts(byte a) {
        Object object = a > 3 ? (Object) "text" : a > 0 ? new Cell(a) : null;
        return ((Cell) object).a;
    }

    static int texts(byte a) {
        String text = a > 5 ? "abc" : a > 0 ? "" : "x" + a;
        return text.charAt(2) + text.indexOf('2') + text.substring(1).length();
    }

    static int boxes(byte a) {
        Integer left = (int) a;
        return left.equals(7) ? left.hashCode() : left.compareTo(3);
    }

    static int lambdas(byte a, boolean b) {
        java.util.function.IntUnaryOperator f = b ? x -> x + a : x -> x / a;
        return f.applyAsInt(12);
    }

    static int exact(byte a) {
        return Math.addExact(a, Integer.MAX_VALUE - 100) + Math.abs(a) + Math.max(a, 3) + Math.floorMod(7, a);
    }

    static int characters(byte a) {
        char unit = (char) (a & 127);
        return Character.isDigit(unit) ? Character.digit(unit, 8) : Character.isLetter(unit) ? Character.toUpperCase(unit) : -1;
    }

    static int floats(byte a, boolean b) {
        float value = b ? a / 3f : 0f / a;
        return value != value ? 1 : value > 2 ? (int) value : Float.compare(value, -0f);
    }

    static int longs(byte a, byte b) {
        long product = (long) a * b;
        return product > 16000 ? (int) (product << 3) : product == 0 ? (int) (7L / a) : Long.compare(a, b);
    }

    static int lists(byte a) {
        java.util.List<Integer> list = new java.util.ArrayList<>();
        for (int i = 0; i < (a & 3); i++) {
            list.add(i);
        }
        return list.get(a & 7);
    }

    static int copies(byte a) {
        int[] from = {1, 2, 3};
        int[] to = new int[3];
        System.arraycopy(from, a, to, 1, 2);
        return to[1] * 10 + to[2];
    }

    static int nested(byte a) {
        try {
            try {
                return divided(a, true) + table(a);
            } catch (ArrayIndexOutOfBoundsException e) {
                throw new IllegalArgumentException(e);
            }
        } catch (IllegalArgumentException e) {
            return e.getCause() == null ? 1 : 2;
        }
    }
}
