package com.example.client;

import org.apache.lucene.store.ByteArrayDataInput;
import org.apache.lucene.util.compress.LZ4;

class Loader {
    static void read() throws Exception {
        byte[] in = hex("f00b" + "00".repeat(20));
        System.out.println(LZ4.decompress(new ByteArrayDataInput(in), 40, new byte[64], 0));
    }

    static byte[] hex(String s) {
        byte[] b = new byte[s.length() / 2];
        for (int i = 0; i < b.length; i++) b[i] = (byte) Integer.parseInt(s.substring(2 * i, 2 * i + 2), 16);
        return b;
    }

    public static void main(String[] args) throws Exception {
        read();
    }
}
