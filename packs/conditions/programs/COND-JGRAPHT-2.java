package com.example.client;

import org.jgrapht.Graph;
import org.jgrapht.graph.DefaultDirectedGraph;
import org.jgrapht.graph.DefaultEdge;
import org.jgrapht.traverse.TopologicalOrderIterator;

class Worker {
    static void process() throws Exception {
        Graph<Integer, DefaultEdge> g = new DefaultDirectedGraph<>(DefaultEdge.class);
        g.addVertex(1);
        g.addVertex(2);
        g.addVertex(3);
        g.addEdge(1, 2);
        TopologicalOrderIterator<Integer, DefaultEdge> it = new TopologicalOrderIterator<>(g);
        it.next();
        g.addVertex(4);
        g.addEdge(3, 4);
        while (it.hasNext()) it.next();
    }

    public static void main(String[] args) throws Exception {
        process();
    }
}
