package puzzles;

import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;

/** Crashes that depend on what is inside of something that comes in. */
public class Inputs {
    private static Task current;

    public static int magic(InputStream in) throws IOException {
        int[] sizes = {10, 20, 30};
        int first = in.read();
        int second = in.read();
        if (first != 0x7F || second < 3) {
            return 0;
        }
        return sizes[second];
    }

    public static int quoted(Reader in) throws IOException {
        int first = in.read();
        if (first != '"') {
            return 0;
        }
        int second = in.read();
        String rest = second == '%' ? null : "x";
        return rest.length();
    }

    public static int lookup(Map<String, String> settings) {
        if (!"strict".equals(settings.get("mode"))) {
            return 0;
        }
        return settings.get("level").length();
    }

    public static int walk(Iterator<String> words) {
        int sum = 0;
        while (words.hasNext()) {
            String word = words.next();
            if (word == null) {
                throw new IllegalStateException("a gap after " + sum);
            }
            sum += word.length();
        }
        return sum;
    }

    public static int any(Set<Integer> numbers) {
        for (Integer number : numbers) {
            if (number == 17) {
                throw new IllegalArgumentException("17");
            }
        }
        return 0;
    }

    /** Its weight is for subclasses to say. */
    public abstract static class Task {
        protected Task() {
            current = this;
        }

        protected abstract int weight();
    }

    public static int weigh() {
        return new int[4][current.weight() - 38].length;
    }
}
