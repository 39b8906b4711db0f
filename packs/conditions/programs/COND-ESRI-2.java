package com.example.client;

import com.esri.core.geometry.Geometry;
import com.esri.core.geometry.GeometryEngine;

class Job {
    static void execute() throws Exception {
        System.out.println(GeometryEngine.geometryFromWkt("POLYGON ((0 0, 1 -.e", 0, Geometry.Type.Unknown));
    }

    public static void main(String[] args) throws Exception {
        execute();
    }
}
