package com.example.client;

import com.jcraft.jzlib.Deflater;
import com.jcraft.jzlib.Inflater;

class Loader {
    static void read() throws Exception {
        byte[] packed = new byte[100];
        Deflater d = new Deflater(6);
        d.setInput("abc".getBytes("US-ASCII"));
        d.setOutput(packed);
        d.deflate(4);
        Inflater in = new Inflater();
        in.setInput(packed, 0, (int) d.getTotalOut(), false);
        in.inflate(0);
    }

    public static void main(String[] args) throws Exception {
        read();
    }
}
