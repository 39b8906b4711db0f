public class Patterns {
    sealed interface Shape {}

    record Circle(int radius) implements Shape {}

    record Square(int side) implements Shape {}

    record Pair(Shape left, Shape right) implements Shape {}

    enum Color { RED, GREEN, BLUE }

    static Shape make(int a) {
        return switch (a & 3) {
            case 0 -> new Circle(a);
            case 1 -> new Square(a);
            case 2 -> null;
            default -> new Pair(make(a >> 2 & 1), new Square(a));
        };
    }

    static int area(int a) {
        return switch (make(a)) {
            case Circle circle when circle.radius() > 5 -> 3;
            case Circle(int radius) -> radius * radius;
            case Square(var side) -> side;
            case Pair(Circle left, Square(int side)) -> left.radius() + side;
            case Pair pair -> 100;
        };
    }

    static String kind(int a, String text) {
        Object object = a == 0 ? null : a == 1 ? text : a == 2 ? (Object) 7 : a == 3 ? (Object) 'c' : new int[a & 7];
        return switch (object) {
            case null -> "null";
            case String string when string.isEmpty() -> "empty";
            case String string -> string + "!";
            case Integer number when number > 10 -> "big";
            case Integer number -> "int" + number;
            case int[] array -> "array" + array.length;
            default -> "other";
        };
    }

    static int color(int a) {
        Color color = a < 0 ? null : Color.values()[a % 3];
        return switch (color) {
            case RED -> 1;
            case GREEN -> 2;
            case BLUE -> 3;
        };
    }

    static int colorOrNull(int a) {
        Color color = a < 0 ? null : Color.values()[a % 3];
        return switch (color) {
            case null -> 0;
            case RED -> 1;
            case Color other when a > 4 -> other.ordinal() + 10;
            case GREEN -> 2;
            default -> 3;
        };
    }

    static int word(String text) {
        return switch (text) {
            case null -> -1;
            case "a" -> 1;
            case String other when other.length() > 3 -> 2;
            case "ab" -> 3;
            default -> 4;
        };
    }
}
