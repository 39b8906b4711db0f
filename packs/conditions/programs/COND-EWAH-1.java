package com.example.client;

import com.googlecode.javaewah.EWAHCompressedBitmap;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;

class Loader {
    static void read() throws Exception {
        EWAHCompressedBitmap e = new EWAHCompressedBitmap();
        e.deserialize(new DataInputStream(new ByteArrayInputStream(hex("000001f50000000500000004000000fffffff000000000060000000000000001000000020000000a001000000000000000000003"))));
        System.out.println(e.or(EWAHCompressedBitmap.bitmapOf(1, 2)).cardinality());
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
