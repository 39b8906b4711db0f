public class Records {
    record Point(int x, long y, String name, double z) {
        Point {
            if (x > 100) {
                throw new IllegalArgumentException("far");
            }
        }
    }

    sealed interface Tree permits Leaf, Node {}

    record Leaf(int value) implements Tree {}

    record Node(Tree left, Tree right) implements Tree {}

    static int equal(int a, int b, String text) {
        Point one = new Point(a, b, text, a);
        Point two = new Point(b, a, text, b);
        return (one.equals(two) ? 1 : 0) + (one.equals(null) ? 2 : 0) + (one.hashCode() == two.hashCode() ? 4 : 0);
    }

    static int hashed(int a, long b, String text) {
        return new Point(a, b, text, 0.5).hashCode();
    }

    static String shown(int a, long b, String text) {
        return "is " + new Point(a, b, text, 2) + a + text;
    }

    static int sum(Tree tree) {
        if (tree instanceof Leaf leaf) {
            return leaf.value();
        } else if (tree instanceof Node node) {
            return sum(node.left()) + sum(node.right());
        }
        throw new IllegalStateException();
    }

    static int summed(int a, int b) {
        return sum(new Node(new Leaf(a), new Node(new Leaf(b), new Leaf(a > 5 ? 0 : b))));
    }

    static String switched(int a) {
        return switch (a) {
            case 0, 1 -> "low";
            case 2 -> {
                String text = "two";
                yield text + a;
            }
            default -> "high" + (char) (a + 60) + null;
        };
    }

    static String concat(int a, double b, Object c, String d) {
        Object boxed = a;
        return "a" + boxed + d + (c == null) + 'c' + (b > 1);
    }
}
