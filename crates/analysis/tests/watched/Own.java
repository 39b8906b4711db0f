import java.util.function.IntUnaryOperator;

/** Calls and writes of all kinds that need nothing of the JDK: dispatch, interfaces, lambdas, recursion, initialisers, super calls. */
public class Own {
    interface Shape {
        int area();

        default int twice() {
            return 2 * area();
        }
    }

    abstract static class Named implements Shape {
        int asked;
        static int all;

        protected void note() {
            asked++;
            all += 1;
        }

        @Override
        public int twice() {
            note();
            return Shape.super.twice();
        }
    }

    static class Square extends Named {
        int side;

        Square(int side) {
            this.side = side;
        }

        @Override
        public int area() {
            note();
            return side * side;
        }
    }

    static class Cube extends Square {
        int[] cache = new int[1];

        Cube(int side) {
            super(side);
        }

        @Override
        public int area() {
            cache[0] = super.area();
            return 6 * cache[0];
        }

        @Override
        protected void note() {
            super.note();
            Counter.count++;
        }
    }

    /** Inherits what it implements the interface with. */
    static class Base {
        long seen;

        public int area() {
            return (int) ++seen;
        }
    }

    static class Derived extends Base implements Shape {}

    static class Unused implements Shape {
        int never;

        @Override
        public int area() {
            return never++;
        }
    }

    static class Counter {
        static int count = first();

        static int first() {
            Started.yes = true;
            return 7;
        }
    }

    static class Started {
        static boolean yes;
    }

    static class Tree {
        Tree left;
        Tree right;
        int depth;

        static Tree of(int depth) {
            Tree tree = new Tree();
            tree.depth = depth;
            if (depth > 0) {
                tree.left = of(depth - 1);
                tree.right = mirrored(depth - 1);
            }
            return tree;
        }

        static Tree mirrored(int depth) {
            return depth == 0 ? new Tree() : of(depth - 1);
        }
    }

    int total;

    int lambdas(int by) {
        IntUnaryOperator add = x -> total += x * by;
        IntUnaryOperator twice = this::doubled;
        return apply(add, 3) + apply(twice, 4) + apply(Own::negated, 5);
    }

    int doubled(int x) {
        total = 2 * x;
        return total;
    }

    static int negated(int x) {
        return -x;
    }

    static int apply(IntUnaryOperator operator, int x) {
        return operator.applyAsInt(x);
    }

    static int sum(Shape[] shapes) {
        int sum = 0;
        for (Shape shape : shapes) {
            sum += shape.area() + shape.twice();
        }
        return sum;
    }

    static int caught(int[] array, int index) {
        try {
            return array[index];
        } catch (ArrayIndexOutOfBoundsException e) {
            Started.yes = false;
            return -1;
        }
    }

    public static void main(String[] args) {
        Own own = new Own();
        sum(new Shape[] {new Square(2), new Cube(3), new Derived()});
        own.lambdas(5);
        Tree.of(4);
        caught(new int[1], 3);
    }
}
