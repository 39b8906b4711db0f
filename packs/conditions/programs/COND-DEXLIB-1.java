package com.example.client;

import org.jf.dexlib2.Opcodes;
import org.jf.dexlib2.dexbacked.DexBackedDexFile;

class Importer {
    static void load() throws Exception {
        byte[] b = new byte[116];
        byte[] magic = "dex\n035\0".getBytes("US-ASCII");
        System.arraycopy(magic, 0, b, 0, 8);
        b[40] = 0x78;
        b[41] = 0x56;
        b[42] = 0x34;
        b[43] = 0x12;
        b[52] = 112;
        b[112] = 2;
        System.out.println(new DexBackedDexFile(Opcodes.getDefault(), b).getClasses().size());
    }

    public static void main(String[] args) throws Exception {
        load();
    }
}
