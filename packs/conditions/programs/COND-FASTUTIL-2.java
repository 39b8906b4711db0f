package com.example.client;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntList;

class Worker {
    static void process() throws Exception {
        IntArrayList l = IntArrayList.wrap(new int[] {1, 2, 3}, 3);
        IntList s = l.subList(1, 3);
        l.clear();
        l.trim();
        s.sort(null);
    }

    public static void main(String[] args) throws Exception {
        process();
    }
}
