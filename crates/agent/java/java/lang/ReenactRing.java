package java.lang;

import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The last events of one thread, in memory that is a part of the recording. The thread may be killed between any two instructions: words
 * are there before they are counted, and an event is counted as a whole. How many are counted is known to that memory alone, so that a
 * stack that is full in the middle of this leaves nothing to disagree with it.
 */
final class ReenactRing {
    private static final int WRITTEN_AT = 0;
    private static final int THREAD_AT = 8;
    private static final int PENDING_AT = 12;
    private static final int NAME_AT = 16;
    private static final int NAME_LIMIT = 46;
    private static final int HEADER = 64;
    /** Texts of which it is known whether another one is equal. */
    private static final int TEXTS = 8;

    private final ByteBuffer memory;
    private final int mask;
    /** Compilers may merge and move plain stores, as long as this thread does not see it; but not across this. */
    private final AtomicInteger fence = new AtomicInteger();
    final int number;
    private final WeakReference<Thread> owner;
    /** What is longer is not looked at: that would take as long as what the program does with it. */
    private static final int TEXT_LIMIT = 256;
    /** Hashes and not the texts themselves, which would become garbage later than without us. */
    private final int[] hashes = new int[TEXTS];
    private int textCount;

    ReenactRing(ByteBuffer memory, int number, Thread owner, boolean hasName) {
        this.memory = memory;
        this.mask = (memory.capacity() - HEADER) / 4 - 1;
        this.number = number;
        this.owner = new WeakReference<>(owner);
        // Of a ring that belonged to another thread nobody may read a mixture.
        memory.putInt(THREAD_AT, 0);
        fence();
        memory.putLong(WRITTEN_AT, 0);
        memory.putInt(PENDING_AT, 0);
        putName(hasName ? owner.getName() : "");
        fence();
        memory.putInt(THREAD_AT, number);
    }

    private void putName(String name) {
        int length = Math.min(name.length(), NAME_LIMIT);
        memory.putShort(NAME_AT, (short) length);
        for (int i = 0; i < length; i++) {
            char c = name.charAt(i);
            memory.put(NAME_AT + 2 + i, (byte) (c < 128 ? c : '?'));
        }
    }

    ByteBuffer memory() {
        return memory;
    }

    boolean isFree() {
        Thread thread = owner.get();
        return thread == null || !thread.isAlive();
    }

    void put(int word) {
        long at = written();
        store(at, word);
        count(at + 1);
    }

    void put(int word, int second) {
        long at = written();
        store(at, word);
        store(at + 1, second);
        count(at + 2);
    }

    void put(int word, int second, int third) {
        long at = written();
        store(at, word);
        store(at + 1, second);
        store(at + 2, third);
        count(at + 3);
    }

    void put(int word, int second, int third, int fourth) {
        long at = written();
        store(at, word);
        store(at + 1, second);
        store(at + 2, third);
        store(at + 3, fourth);
        count(at + 4);
    }

    /** An event that is longer than the others: it is said beforehand how much of the oldest goes. */
    void put(int word, int second, int third, String text, int units) {
        memory.putInt(PENDING_AT, units);
        fence();
        long at = written();
        store(at, word);
        store(at + 1, second);
        store(at + 2, third);
        for (int i = 0; i < units; i++) {
            store(at + 3 + i, text.charAt(i));
        }
        count(at + 3 + units);
        fence();
        memory.putInt(PENDING_AT, 0);
    }

    private long written() {
        return memory.getLong(WRITTEN_AT);
    }

    private void store(long at, int word) {
        memory.putInt(HEADER + (((int) at & mask) << 2), word);
    }

    /** What is not written yet does not count. */
    private void count(long count) {
        fence();
        memory.putLong(WRITTEN_AT, count);
    }

    /** What is stored before is there before what is stored behind; no instruction on x86. */
    private void fence() {
        fence.lazySet(0);
    }

    /** How many texts ago an equal one was recorded, from 1; 0 if none was. */
    int sameAs(String text) {
        if (text.length() > TEXT_LIMIT) {
            return 0;
        }
        int hash = text.hashCode() * 31 + text.length() + 1;
        int ago = 0;
        for (int i = 1; i <= TEXTS; i++) {
            if (hash == hashes[textCount - i & TEXTS - 1]) {
                ago = i;
                break;
            }
        }
        hashes[textCount++ & TEXTS - 1] = hash;
        return ago;
    }
}
