package com.example.client;

import org.iq80.snappy.Snappy;

class Loader {
    static void read() throws Exception {
        byte[] b = hex("1e086162636e0300");
        System.out.println(Snappy.uncompress(b, 0, b.length).length);
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
