package com.example.client;

import java.nio.ByteBuffer;
import org.snmp4j.PDU;
import org.snmp4j.asn1.BERInputStream;

class Importer {
    static void load() throws Exception {
        PDU pdu = new PDU();
        pdu.decodeBER(new BERInputStream(ByteBuffer.wrap(hex("a200020000020000020000300d30000603000000440400"))));
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
