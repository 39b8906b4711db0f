package com.example.client;

import org.locationtech.jts.geom.Envelope;
import org.locationtech.jts.index.quadtree.Quadtree;

class Report {
    static void compute() throws Exception {
        Quadtree q = new Quadtree();
        q.insert(new Envelope(0, 1, 0, 1), "a");
        q.insert(new Envelope(1, 1.5e308, 1, 1.5e308), "b");
        System.out.println(q.size());
    }

    public static void main(String[] args) throws Exception {
        compute();
    }
}
