package com.example.client;

import com.esri.core.geometry.Polyline;
import com.esri.core.geometry.SegmentIterator;

class Worker {
    static void process() throws Exception {
        Polyline p = new Polyline();
        p.startPath(0, 0);
        p.lineTo(1, 1);
        SegmentIterator it = p.querySegmentIterator();
        it.nextSegment();
    }

    public static void main(String[] args) throws Exception {
        process();
    }
}
