import java.util.Objects;

public class Texts {
    static String built(int a, long b, char c, boolean d, String e) {
        return new StringBuilder().append(a).append(':').append(b).append(c).append(d).append(e).append((Object) e).toString();
    }

    static int switched(String word) {
        switch (word) {
            case "a":
                return 1;
            case "b":
                return 2;
            case "Aa":
                return 3;
            case "BB":
                return 4;
            default:
                return word.length();
        }
    }

    static String plus(String left, int right, Object other) {
        return left + right + (other == null ? "none" : "some") + 'x';
    }

    static boolean compared(String left, String right) {
        return Objects.equals(left, right) || left.compareTo(right) < 0 && left.startsWith(right);
    }

    static String parts(String text, int from, int to) {
        return text.substring(from, to).trim() + "|" + text.indexOf('a') + "|" + text.lastIndexOf("b");
    }

    static int identity(String text) {
        String copy = new String(text);
        int same = copy == text ? 1 : 0;
        return same + (copy.equals(text) ? 2 : 0) + ("ab" == "ab" ? 4 : 0) + (copy.intern() == text.intern() ? 8 : 0);
    }

    static int number(String text) {
        return Integer.parseInt(text) + Integer.valueOf(text).hashCode();
    }

    static int sequence(String text, int at) {
        CharSequence sequence = text;
        if (at % 2 == 0) {
            sequence = new StringBuilder(text).append("!");
        }
        return sequence.length() + sequence.charAt(at) + sequence.toString().hashCode();
    }

    static String loops(String text) {
        StringBuilder out = new StringBuilder();
        for (char unit : text.toCharArray()) {
            if (Character.isLetter(unit)) {
                out.insert(0, Character.toUpperCase(unit));
            } else {
                out.append(unit);
            }
        }
        return out.reverse().toString();
    }

    static String joined(String a, String b) {
        return String.join("-", a, b, "c") + String.valueOf((Object) a) + a.concat(b).replace('a', 'b');
    }

    static String split(String text) {
        String[] parts = text.split(",");
        return parts.length + parts[parts.length - 1];
    }

    static int caught(String text, int at) {
        try {
            return text.charAt(at);
        } catch (StringIndexOutOfBoundsException e) {
            return -1;
        } catch (NullPointerException e) {
            return -2;
        }
    }
}
