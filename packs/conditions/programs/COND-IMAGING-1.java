package com.example.client;

import org.apache.commons.imaging.Imaging;

class Importer {
    static void load() throws Exception {
        byte[] b = hex("474900000000000000000000002c00000000000000000008080001000000000000003b");
        System.out.println(Imaging.getMetadata(b));
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
