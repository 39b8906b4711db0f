package com.example.client;

import org.bouncycastle.crypto.digests.SHA256Digest;
import org.bouncycastle.crypto.digests.SHA512Digest;

class Report {
    static void compute() throws Exception {
        SHA256Digest d = new SHA256Digest();
        d.update(new byte[70], 0, 70);
        new SHA512Digest(d.getEncodedState());
    }

    public static void main(String[] args) throws Exception {
        compute();
    }
}
