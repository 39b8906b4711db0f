import java.text.MessageFormat;
import java.util.function.Supplier;

/** Exceptions that build their messages themselves: in constructors, through `super(..)` and `this(..)`, when they are printed. */
public class Messages {
    /** A root that adds the cause when it is printed. */
    static class Nested extends RuntimeException {
        Nested(String message) { super(message); }
        Nested(String message, Throwable cause) { super(message, cause); }
        @Override public String getMessage() { return Texts.nested(super.getMessage(), getCause()); }
    }
    static class Texts {
        static String nested(String message, Throwable cause) {
            if (cause == null) return message;
            StringBuilder text = new StringBuilder(64);
            if (message != null) text.append(message).append("; ");
            return text.append("nested: ").append(cause).toString();
        }
    }
    static class OfBeans extends Nested {
        OfBeans(String message) { super(message); }
        OfBeans(String message, Throwable cause) { super(message, cause); }
    }
    static class Fatal extends OfBeans {
        Fatal(String message) { super(message); }
        Fatal(String message, Throwable cause) { super(message, cause); }
    }
    static class NotMade extends Fatal {
        NotMade(Class<?> type, String why) { this(type, why, null); }
        NotMade(Class<?> type, String why, Throwable cause) {
            super("cannot make [" + type.getName() + "]: " + why, cause);
        }
    }
    static class NotCreated extends Fatal {
        NotCreated(String name, String why) { super("no bean '" + name + "': " + why); }
        NotCreated(String where, String name, String why) {
            super("no bean '" + name + "'" + (where != null ? " of " + where : "") + ": " + why);
        }
        NotCreated(String where, String name, String why, Throwable cause) {
            this(where, name, why);
            initCause(cause);
        }
    }

    static void caseSuperChain() { superChain(String.class, "size", 3); }
    static void superChain(Class<?> type, String method, int times) {
        throw new NotMade(type, "method '" + method + "' failed " + times + " times"); //> Explicit athrow: always when reached; type = java.lang.String; method = "size"; times = 3
    }
    static void caseSuperChainWithCause() { superChainWithCause(Integer.class, "get"); }
    static void superChainWithCause(Class<?> type, String method) {
        try {
            Integer.parseInt("; nested: x");
        } catch (NumberFormatException e) {
            throw new NotMade(type, "method '" + method + "' failed", e); //> Explicit athrow: NumberFormatException is caught; type = java.lang.Integer; method = "get"
        }
    }
    static void caseInitCause() { initCause("a.xml", "b"); }
    static void initCause(String file, String bean) {
        try {
            Integer.parseInt("x");
        } catch (NumberFormatException e) {
            throw new NotCreated(file, bean, "it failed", e); //> Explicit athrow: NumberFormatException is caught; file = "a.xml"; bean = "b"
        }
    }
    static void caseWithoutOptionalPart() { withoutOptionalPart("b"); }
    static void withoutOptionalPart(String bean) {
        throw new NotCreated(null, bean, "it failed"); //> Explicit athrow: always when reached; bean = "b"
    }

    /** Fields that a constructor sets, told through getters when printed. */
    static class Kept extends IllegalStateException {
        private final String key;
        private final int line;
        private String detail;
        Kept(String key, int line) { this.key = key; this.line = line; }
        Kept(String key, int line, String detail) { this(key, line); this.detail = detail; }
        String getKey() { return key; }
        int getLine() { return line; }
        String describe() { return getKey() + " in line " + getLine(); }
        @Override public String getMessage() { return "bad " + describe() + (detail == null ? "" : ": " + detail); }
    }
    static class KeptMore extends Kept {
        KeptMore(String key, int line) { super("<" + key + ">", line + 1, "more"); }
        @Override String describe() { return super.describe() + " or so"; }
    }
    static void caseKept() { kept("k", 7); }
    static void kept(String k, int n) {
        throw new Kept(k, n); //> Explicit athrow: always when reached; k = "k"; n = 7
    }
    static void caseKeptDetail() { keptDetail("k", 7, "odd"); }
    static void keptDetail(String k, int n, String why) {
        throw new Kept(k, n, why); //> Explicit athrow: always when reached; k = "k"; n = 7; why = "odd"
    }
    static void caseKeptMore() { keptMore("k", 7); }
    static void keptMore(String k, int n) {
        throw new KeptMore(k, n); //> Explicit athrow: always when reached; k = "k"
    }

    static class Formatted extends RuntimeException {
        Formatted(String format, Object... args) { super(String.format(format, args)); }
    }
    static class FormattedAt extends Formatted {
        FormattedAt(int line, String what) { super("line %d: " + "%s is wrong", line, what); }
    }
    static void caseFormatted() { formatted(4, "it"); }
    static void formatted(int line, String what) {
        throw new FormattedAt(line, what); //> Explicit athrow: always when reached; line = 4; what = "it"
    }
    static class Localised extends RuntimeException {
        static final String TEXT = "the {0} of ''{1}'' is gone";
        Localised(Object... args) { super(MessageFormat.format(TEXT, args)); }
    }
    static void caseLocalised() { localised("lid", "pot"); }
    static void localised(String part, String whole) {
        throw new Localised(part, whole); //> Explicit athrow: always when reached; part = "lid"; whole = "pot"
    }
    static class Supplied extends RuntimeException {
        Supplied(Supplier<String> text) { super(text.get()); }
    }
    static void caseSupplied() { supplied("x", 2); }
    static void supplied(String what, int n) {
        throw new Supplied(() -> what + " at " + n); //> Explicit athrow: always when reached; what = "x"; n = 2
    }
    static class Static extends RuntimeException {
        Static(String name, Object value) { super(text(name, value)); }
        private static String text(String name, Object value) {
            StringBuilder out = new StringBuilder();
            out.append("value ").append(value);
            out.append(" for ").append(name);
            return out.toString();
        }
    }
    static void caseStatic() { ofStatic("n", 5L); }
    static void ofStatic(String name, long value) {
        throw new Static(name, value); //> Explicit athrow: always when reached; name = "n"; value = 5
    }
    static void caseCauseInText() { causeInText("f"); }
    static void causeInText(String file) {
        try {
            Integer.parseInt("x: y");
        } catch (NumberFormatException e) {
            throw new IllegalStateException(file + ": " + e.getMessage(), e); //> Explicit athrow: NumberFormatException is caught; file = "f"
        }
    }

    /** Like the JDK's, but with its own characters. */
    static class Buffer {
        private char[] chars = new char[8];
        private int size;
        Buffer append(String text) {
            while (size + text.length() > chars.length) chars = java.util.Arrays.copyOf(chars, 2 * chars.length);
            text.getChars(0, text.length(), chars, size);
            size += text.length();
            return this;
        }
        Buffer append(int number) { return append(Integer.toString(number)); }
        @Override public String toString() { return new String(chars, 0, size); }
    }
    static void caseOtherBuilder() { otherBuilder("pot", 3); }
    static void otherBuilder(String what, int n) {
        throw new IllegalStateException(new Buffer().append("no ").append(what).append(" in ").append(n).toString()); //> Explicit athrow: always when reached; what = "pot"; n = 3
    }

    /** A format whose text is held by an object. */
    static class Tuple {
        private final String text;
        Tuple(String text) { this.text = text; }
        String getText() { return text; }
    }
    static class Formatter {
        static Tuple format(String pattern, Object one, Object two) {
            StringBuilder out = new StringBuilder();
            int from = 0;
            for (Object value : new Object[] {one, two}) {
                int at = pattern.indexOf("{}", from);
                out.append(pattern, from, at).append(value);
                from = at + 2;
            }
            return new Tuple(out.append(pattern.substring(from)).toString());
        }
    }
    static void caseHeldText() { heldText("lid", "pot"); }
    static void heldText(String part, String whole) {
        throw new IllegalStateException(Formatter.format("the {} of {} is gone", part, whole).getText()); //> Explicit athrow: always when reached; part = "lid"; whole = "pot"
    }

    /** What a helper calls `this` is named as the caller names it. */
    static class Order {
        private final int number;
        Order(int number) { this.number = number; }
        String describe() { return "order " + number + " of today"; }
    }
    static void caseHelperOfAnother() { helperOfAnother(new Order(17)); }
    static void helperOfAnother(Order late) {
        throw new IllegalStateException(late.describe()); //> Explicit athrow: always when reached; late.number = 17
    }

    /** A name like those of generated classes. */
    static class Order_Subclass {
        static void check(int number) {
            throw new IllegalArgumentException("no order " + number); //> Explicit athrow: always when reached; number = 4
        }
    }
    static void caseNamedLikeGlue() { Order_Subclass.check(4); }
}
