package com.example.client;

import org.jgrapht.Graph;
import org.jgrapht.graph.DefaultEdge;
import org.jgrapht.graph.SimpleGraph;
import org.jgrapht.traverse.BreadthFirstIterator;

class Worker {
    static void process() throws Exception {
        Graph<Integer, DefaultEdge> g = new SimpleGraph<>(DefaultEdge.class);
        for (int i = 0; i < 4; i++) g.addVertex(i);
        g.addEdge(0, 1);
        g.addEdge(1, 2);
        g.addEdge(2, 3);
        BreadthFirstIterator<Integer, DefaultEdge> it = new BreadthFirstIterator<>(g, 0);
        it.next();
        g.removeVertex(1);
        it.next();
        it.next();
    }

    public static void main(String[] args) throws Exception {
        process();
    }
}
