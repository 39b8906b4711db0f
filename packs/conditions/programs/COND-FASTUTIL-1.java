package com.example.client;

import it.unimi.dsi.fastutil.io.FastBufferedInputStream;
import it.unimi.dsi.fastutil.io.FastByteArrayInputStream;

class Loader {
    static void read() throws Exception {
        FastBufferedInputStream s = new FastBufferedInputStream(new FastByteArrayInputStream(new byte[5], 2, 9), 4);
        s.skip(3);
        s.position(6);
        s.readLine(new byte[10]);
    }

    public static void main(String[] args) throws Exception {
        read();
    }
}
