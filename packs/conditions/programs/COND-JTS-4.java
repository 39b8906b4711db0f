package com.example.client;

import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.Envelope;
import org.locationtech.jts.geom.GeometryFactory;
import org.locationtech.jts.index.strtree.GeometryItemDistance;
import org.locationtech.jts.index.strtree.STRtree;

class Report {
    static void compute() throws Exception {
        STRtree t = new STRtree();
        t.insert(new Envelope(0, 1, 0, 1), "a");
        t.insert(new Envelope(2, 3, 2, 3), "b");
        t.nearestNeighbour(new Envelope(0, 1, 0, 1), new GeometryFactory().createPoint(new Coordinate(0, 0)), new GeometryItemDistance());
    }

    public static void main(String[] args) throws Exception {
        compute();
    }
}
