package puzzles;

import java.util.ArrayList;
import java.util.List;

/** States that several calls reach. */
public class Account {
    private final String owner;
    private final List<String> entries = new ArrayList<>();
    private String note;
    private int balance;
    private boolean open;
    private boolean frozen;

    public Account(String owner) {
        if (owner == null) {
            throw new IllegalArgumentException("owner");
        }
        this.owner = owner;
    }

    public void open() {
        open = true;
        note = "";
    }

    public void deposit(int amount) {
        if (!open || amount <= 0) {
            throw new IllegalStateException();
        }
        balance += amount;
        entries.add("+" + amount);
    }

    public void freeze() {
        if (balance < 500) {
            return;
        }
        frozen = true;
        note = null;
    }

    public int report() {
        int size = owner.length();
        if (frozen) {
            size += note.length();
        }
        return size;
    }

    public String last() {
        return entries.get(entries.size() - 1);
    }
}
