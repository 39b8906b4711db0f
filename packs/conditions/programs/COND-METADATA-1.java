package com.example.client;

import com.drew.lang.ByteArrayReader;
import com.drew.metadata.Directory;
import com.drew.metadata.Metadata;
import com.drew.metadata.Tag;
import com.drew.metadata.icc.IccReader;
import java.nio.ByteBuffer;

class Importer {
    static void load() throws Exception {
        ByteBuffer b = ByteBuffer.allocate(200);
        b.putInt(128, 1);
        b.putInt(132, 0x64657363);
        b.putInt(136, 160);
        b.putInt(140, 20);
        b.putInt(160, 0x64657363);
        b.putInt(168, 1000);
        Metadata m = new Metadata();
        new IccReader().extract(new ByteArrayReader(b.array()), m);
        for (Directory d : m.getDirectories()) for (Tag t : d.getTags()) System.out.println(t.getDescription());
    }

    public static void main(String[] args) throws Exception {
        load();
    }
}
