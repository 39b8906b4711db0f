/** Methods that call others which are not looked into: what these change must count as changed. */
public class Hidden {
    static class Cell {
        int a;
        final int fixed;
        Cell next;
        int[] array = new int[2];

        Cell(int a) {
            this.a = a;
            this.fixed = a + 1;
        }

        void set(int value) {
            a = value;
        }

        void link(Cell other) {
            next = other;
        }
    }

    static int counter;

    static void count() {
        counter++;
    }

    static void write(int[] array, int value) {
        array[0] = value;
    }

    static void append(StringBuilder text, int value) {
        text.append(value);
    }

    static Cell make(int value) {
        return new Cell(value);
    }

    static Cell same(Cell cell) {
        return cell;
    }

    static int divide(int a) {
        return 12 / a;
    }

    static int field(byte a) {
        Cell cell = new Cell(3);
        cell.set(a);
        return cell.a + cell.fixed;
    }

    static int kept(byte a) {
        Cell hidden = new Cell(a);
        make(7);
        return hidden.a;
    }

    static int linked(byte a) {
        Cell one = new Cell(1);
        Cell two = new Cell(2);
        one.link(two);
        two.a = a;
        one.next.a = 5;
        return two.a;
    }

    static int through(byte a) {
        Cell outer = new Cell(1);
        outer.next = new Cell(2);
        same(outer).next.a = a;
        return outer.next.a;
    }

    static int statics(byte a) {
        counter = a;
        count();
        return counter;
    }

    static int array(byte a) {
        int[] array = {1, 2};
        write(array, a);
        return array[0] + array[1];
    }

    static int inner(byte a) {
        Cell cell = new Cell(1);
        write(cell.array, a);
        return cell.array[0];
    }

    static int text(byte a) {
        StringBuilder text = new StringBuilder("x");
        append(text, a);
        return text.length();
    }

    static int identity(byte a) {
        Cell cell = new Cell(a);
        return same(cell) == cell ? 1 : 2;
    }

    static int caught(byte a) {
        try {
            return divide(a & 3);
        } catch (ArithmeticException e) {
            return -a;
        }
    }

    static int lambda(byte a) {
        Cell cell = new Cell(1);
        Runnable change = () -> cell.a = a;
        run(change);
        return cell.a;
    }

    static void run(Runnable runnable) {
        runnable.run();
    }
}
