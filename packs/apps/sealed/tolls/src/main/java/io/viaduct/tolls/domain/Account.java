package io.viaduct.tolls.domain;

import java.util.ArrayList;
import java.util.List;

/** Somebody who pays, and what is not billed yet. */
public class Account {

    private final String id;
    private final List<Passage> open = new ArrayList<>();
    private final List<Passage> waived = new ArrayList<>();
    private int balance;

    public Account(String id) {
        this.id = id;
    }

    public String id() {
        return id;
    }

    public List<Passage> open() {
        return open;
    }

    public List<Passage> waived() {
        return waived;
    }

    public int balance() {
        return balance;
    }

    public void add(Passage passage) {
        open.add(passage);
    }

    public void waive(Passage passage) {
        open.remove(passage);
        waived.add(passage);
    }

    public void charge(int cents) {
        balance += cents;
    }
}
