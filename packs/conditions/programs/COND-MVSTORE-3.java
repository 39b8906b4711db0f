package com.example.client;

import org.h2.mvstore.MVStore;
import org.h2.mvstore.tx.Transaction;
import org.h2.mvstore.tx.TransactionMap;
import org.h2.mvstore.tx.TransactionStore;

class Report {
    static void compute() throws Exception {
        TransactionStore ts = new TransactionStore(MVStore.open(null));
        ts.init();
        Transaction t1 = ts.begin();
        Transaction t2 = ts.begin();
        TransactionMap<String, String> m1 = t1.openMap("stock");
        TransactionMap<String, String> m2 = t2.openMap("stock");
        m1.put("k", "v");
        m2.put("k", "w");
    }

    public static void main(String[] args) throws Exception {
        compute();
    }
}
