/** Compiled without names of variables, so that a variable is told by what it holds, if that is still so. */
public class Unnamed {
    int field = 7;

    static void caseOldCopy() { oldCopy(3, 9); }
    static void oldCopy(int first, int other) {
        int i = first;
        while (true) {
            int old = i;
            if (other > 8) i = other - 9;
            if (old > 2) throw new IllegalStateException(); //> Explicit athrow: local3 > 2
        }
    }
    static void caseCurrentCopy() { currentCopy(3, 9); }
    static void currentCopy(int first, int other) {
        int i = first;
        while (true) {
            int same = i;
            if (same > 2) throw new IllegalStateException(); //> Explicit athrow: local2 > 2
            if (other > 8) i = other - 9;
        }
    }
    static void caseOldField() { new Unnamed().oldField(); }
    void oldField() {
        int old = field;
        field = 0;
        if (old > 2) throw new IllegalStateException(); //> Explicit athrow: local1 > 2
    }
    static void caseCurrentField() { new Unnamed().currentField(); }
    void currentField() {
        int same = field;
        if (same > 2) throw new IllegalStateException(); //> Explicit athrow: this.field > 2
    }
}
