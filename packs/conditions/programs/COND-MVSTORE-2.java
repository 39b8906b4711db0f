package com.example.client;

import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;

class Worker {
    static void process() throws Exception {
        MVStore s = MVStore.open(null);
        MVMap<Integer, String> m = s.openMap("log", new MVMap.Builder<Integer, String>().singleWriter());
        m.append(5, "a");
        m.trimLast();
        m.trimLast();
    }

    public static void main(String[] args) throws Exception {
        process();
    }
}
