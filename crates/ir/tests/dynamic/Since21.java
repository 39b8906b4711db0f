/** Pattern switches (Java 21). */
class Since21 {
    enum Colour { RED, GREEN, BLUE }

    sealed interface Shape permits Circle, Square {}

    record Circle(double radius) implements Shape {}

    record Square(double side) implements Shape {}

    static int types(Object it) {
        return switch (it) {
            case null -> -1;
            case Integer i when i > 5 -> i;
            case Integer i -> 0;
            case String s -> s.length();
            case Colour.RED -> 9;
            case int[] array -> array.length;
            default -> 1;
        };
    }

    static int enums(Colour colour) {
        return switch (colour) {
            case RED -> 1;
            case Colour c when c.ordinal() > 1 -> 2;
            case GREEN -> 3;
            case Colour c -> 4;
        };
    }

    static int strings(CharSequence text) {
        return switch (text) {
            case String s when s.isEmpty() -> 0;
            case String s -> s.length();
            case CharSequence c -> -1;
        };
    }

    static double area(Shape shape) {
        return switch (shape) {
            case Circle(double radius) -> radius;
            case Square(double side) -> side * side;
        };
    }
}
