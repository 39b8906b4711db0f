package com.example.client;

import org.apache.commons.compress.archivers.sevenz.SevenZFile;
import org.apache.commons.compress.utils.SeekableInMemoryByteChannel;

class Importer {
    static void load() throws Exception {
        byte[] b = hex("377abcaf271c00048d9bd50f0000000000000000000000000000000000000000");
        SevenZFile f = new SevenZFile(new SeekableInMemoryByteChannel(b));
        System.out.println(f.getNextEntry());
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
