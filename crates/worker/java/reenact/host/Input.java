package reenact.host;

import java.nio.charset.Charset;

/** A cursor over an encoded batch. */
class Input {
    private static final Charset UTF_8 = Charset.forName("UTF-8");

    final byte[] in;
    int at;

    Input(byte[] in, int at) {
        this.in = in;
        this.at = at;
    }

    final int octet() {
        return in[at++] & 0xff;
    }

    /** An unsigned number, seven bits per byte, lowest first. */
    final int number() {
        int b = in[at++];
        if (b >= 0) {
            return b;
        }
        int value = b & 0x7f;
        for (int shift = 7;; shift += 7) {
            b = in[at++];
            value |= (b & 0x7f) << shift;
            if (b >= 0) {
                return value;
            }
        }
    }

    final int signed() {
        int n = number();
        return (n >>> 1) ^ -(n & 1);
    }

    final int int32() {
        int value = (in[at] & 0xff) | (in[at + 1] & 0xff) << 8 | (in[at + 2] & 0xff) << 16 | in[at + 3] << 24;
        at += 4;
        return value;
    }

    final long int64() {
        long low = int32() & 0xffffffffL;
        return low | (long) int32() << 32;
    }

    final String utf8() {
        int length = number();
        String text = new String(in, at, length, UTF_8);
        at += length;
        return text;
    }

    final byte[] bytes() {
        int length = number();
        byte[] bytes = new byte[length];
        System.arraycopy(in, at, bytes, 0, length);
        at += length;
        return bytes;
    }

    /** A string of Java: its length, then one or two bytes per unit. */
    final String units() {
        int head = number();
        int length = head >>> 1;
        char[] units = new char[length];
        if ((head & 1) == 0) {
            for (int i = 0; i < length; i++) {
                units[i] = (char) octet();
            }
        } else {
            for (int i = 0; i < length; i++) {
                int low = octet();
                units[i] = (char) (low | octet() << 8);
            }
        }
        return new String(units);
    }
}
