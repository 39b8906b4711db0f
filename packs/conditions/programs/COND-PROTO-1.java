package com.example.client;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.FileDescriptor;

class Importer {
    static void load() throws Exception {
        FileDescriptorProto p = FileDescriptorProto.parseFrom(hex("220c0a014d12070a0166183c3800"));
        System.out.println(FileDescriptor.buildFrom(p, new FileDescriptor[0], true).getName());
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
