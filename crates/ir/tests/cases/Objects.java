/** Fields, constructors and virtual calls. */
public class Objects {
    static int created;

    int value;
    Objects next;
    long wide = 5;

    Objects(int value, Objects next) {
        this.value = value;
        this.next = next;
        created++;
    }

    int weight() {
        return value + (next == null ? 0 : next.weight());
    }

    static class Heavy extends Objects {
        final int factor;

        Heavy(int value, Objects next, int factor) {
            super(value, next);
            this.factor = factor;
        }

        @Override
        int weight() {
            return factor * super.weight();
        }
    }

    static int chain(int n) {
        Objects first = null;
        for (int i = 0; i < (n & 15); i++) {
            first = i % 3 == 0 ? new Heavy(i, first, n % 5) : new Objects(i, first);
        }
        return first.weight();
    }

    static int chained(int n) {
        Objects object = new Objects(n, new Objects(n + 1, n > 10 ? null : new Objects(1, null)));
        return object.next.next.value;
    }

    static long compoundFields(int n) {
        Objects object = new Objects(n, null);
        object.value += 3;
        int before = object.value++;
        object.wide *= object.value--;
        object.next = object;
        object.next.next.value ^= before;
        return object.wide++ + object.value;
    }

    static int statics(int n) {
        int before = created;
        new Objects(n, new Objects(n, null));
        return created - before;
    }

    static int downcast(int n) {
        Objects object = n % 2 == 0 ? new Heavy(n, null, 2) : new Objects(n, null);
        if (object instanceof Heavy && n % 3 == 0) {
            return ((Heavy) object).factor;
        }
        return ((Heavy) object).weight();
    }
}
