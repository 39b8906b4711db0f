package com.example.client;

import org.apache.commons.math3.geometry.euclidean.twod.PolygonsSet;
import org.apache.commons.math3.geometry.euclidean.twod.Vector2D;

class Report {
    static void compute() throws Exception {
        PolygonsSet p = new PolygonsSet(1e-10, new Vector2D(0, 0), new Vector2D(0, 0), new Vector2D(1, 1));
        System.out.println(p.getSize());
    }

    public static void main(String[] args) throws Exception {
        compute();
    }
}
