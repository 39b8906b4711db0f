package com.example.client;

import it.unimi.dsi.fastutil.ints.IntHeapSemiIndirectPriorityQueue;

class Report {
    static void compute() throws Exception {
        IntHeapSemiIndirectPriorityQueue q = new IntHeapSemiIndirectPriorityQueue(new int[] {3, 1, 2}, new int[] {0, 5, 1}, 3);
        System.out.println(q.dequeue());
    }

    public static void main(String[] args) throws Exception {
        compute();
    }
}
