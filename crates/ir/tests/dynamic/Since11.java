/** String concatenation by `invokedynamic` (Java 9) and private nest mates (Java 11). */
class Since11 {
    static String texts(String name, int number, char c, Object it, double d) {
        return "name=" + name + ", " + number + c + it + d + "\u0001!";
    }

    static String only(Object a, Object b) {
        return "" + a + b;
    }

    static String appended(String text) {
        text += 1L;
        return text;
    }
}
