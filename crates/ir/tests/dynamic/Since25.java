/** What javac 25 makes of constructors with code before `super(..)`, unnamed patterns and modern lambdas. */
class Since25 {
    final String text;

    Since25(Object it) {
        var name = switch (it) {
            case String s -> s;
            case Number _ -> "number";
            default -> "other " + it;
        };
        super();
        text = name;
    }

    record Pair<A, B>(A first, B second) {}

    static String unnamed(Object it) {
        return it instanceof Pair<?, ?>(String first, _) ? first : "none";
    }
}
