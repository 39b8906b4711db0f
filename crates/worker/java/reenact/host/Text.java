package reenact.host;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Texts in buffers: UTF-8 with a length of two bytes in front; what is longer is cut. */
public final class Text {
    private static final int LIMIT = 0xffff;

    private Text() {}

    public static void put(ByteBuffer out, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(bytes.length, LIMIT);
        out.putShort((short) length).put(bytes, 0, length);
    }

    public static String get(ByteBuffer in) {
        byte[] bytes = new byte[in.getShort() & LIMIT];
        in.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
