package org.acme;

import java.util.ArrayList;
import java.util.List;

/** The program that the tests of this directory make crash. */
public class Ledger {
    private final List<Integer> amounts = new ArrayList<>();

    public void add(Integer amount) {
        amounts.add(amount);
    }

    public int total() {
        int total = 0;
        for (Integer amount : amounts) {
            total += value(amount);
        }
        return total;
    }

    private static int value(Integer amount) {
        if (amount < 0) {
            throw new IllegalStateException("negative amount " + amount);
        }
        return amount;
    }

    public int report() {
        try {
            return total();
        } catch (RuntimeException e) {
            throw new ReportFailed("no report", e);
        }
    }

    public void audit() {
        throw new ReportFailed("no report", new IllegalStateException("audit"));
    }

    public int count(int depth) {
        return depth == 0 ? 0 : 1 + further(depth - 1);
    }

    private int further(int depth) {
        return count(depth);
    }
}
