package com.example.client;

import org.la4j.matrix.sparse.CRSMatrix;

class Report {
    static void compute() throws Exception {
        CRSMatrix m = new CRSMatrix(2, 2, 1, new double[] {1}, new int[] {5}, new int[] {0, 1, 1});
        System.out.println(m.toDenseMatrix());
    }

    public static void main(String[] args) throws Exception {
        compute();
    }
}
