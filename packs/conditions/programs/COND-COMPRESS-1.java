package com.example.client;

import java.io.ByteArrayInputStream;
import org.apache.commons.compress.compressors.z.ZCompressorInputStream;

class Importer {
    static void load() throws Exception {
        ZCompressorInputStream z = new ZCompressorInputStream(new ByteArrayInputStream(hex("1f9d48000000")));
        byte[] buf = new byte[64];
        while (z.read(buf) >= 0);
    }

    static byte[] hex(String s) {
        byte[] b = new byte[s.length() / 2];
        for (int i = 0; i < b.length; i++) b[i] = (byte) Integer.parseInt(s.substring(2 * i, 2 * i + 2), 16);
        return b;
    }

    public static void main(String[] args) throws Exception {
        load();
    }
}
