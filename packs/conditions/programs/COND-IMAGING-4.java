package com.example.client;

import java.nio.ByteBuffer;
import org.apache.commons.imaging.Imaging;

class Importer {
    static void load() throws Exception {
        ByteBuffer b = ByteBuffer.allocate(64);
        b.putInt(0x4d4d002a).putInt(8).putShort((short) 2);
        b.putShort((short) 0x111).putShort((short) 5).putInt(1).putInt(48);
        b.putShort((short) 0x117).putShort((short) 4).putInt(1).putInt(4);
        b.putInt(0);
        System.out.println(Imaging.getMetadata(b.array()));
    }

    public static void main(String[] args) throws Exception {
        load();
    }
}
