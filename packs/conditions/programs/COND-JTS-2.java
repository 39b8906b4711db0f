package com.example.client;

import java.util.ArrayList;
import java.util.List;
import org.locationtech.jts.triangulate.ConformingDelaunayTriangulator;
import org.locationtech.jts.triangulate.ConstraintVertex;
import org.locationtech.jts.geom.Coordinate;

class Worker {
    static void process() throws Exception {
        List<ConstraintVertex> sites = new ArrayList<>();
        sites.add(new ConstraintVertex(new Coordinate(0, 0)));
        sites.add(new ConstraintVertex(new Coordinate(3, 1)));
        ConformingDelaunayTriangulator t = new ConformingDelaunayTriangulator(sites, 0.1);
        t.formInitialDelaunay();
        t.enforceConstraints();
    }

    public static void main(String[] args) throws Exception {
        process();
    }
}
