package com.example.client;

import java.io.ByteArrayInputStream;
import org.apache.commons.compress.compressors.deflate64.Deflate64CompressorInputStream;

class Loader {
    static void read() throws Exception {
        Deflate64CompressorInputStream z = new Deflate64CompressorInputStream(new ByteArrayInputStream(hex("0500e200")));
        byte[] buf = new byte[64];
        while (z.read(buf) >= 0);
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
