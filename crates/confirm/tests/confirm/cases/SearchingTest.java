import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FileReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.RandomAccessFile;
import org.junit.Test;

/** Looks in its own memory for what its runner has told, and tells more in the same way, through every descriptor. */
public class SearchingTest {
    private static final int CHUNK = 1 << 20;
    private static final String TOLD = "\tT\t=crash(SearchingTest)";

    @Test
    public void crash() throws Exception {
        String key = search();
        String[] forged = {
            key + "\tF\t=crash(SearchingTest)",
            key + "\tX\t=org.acme.ReportFailed\t=no report",
            key + "\tA\t=org.acme.Ledger\t=report\t=Ledger.java\t33",
            key + "\tA\t=org.acme.Office\t=daily\t=Office.java\t11",
            key + "\tA\t=org.acme.Office\t=close\t=Office.java\t15",
            "{\"Failed\":{\"test\":\"crash(SearchingTest)\",\"chain\":[{\"class\":\"org.acme.ReportFailed\",\"message\":null,"
                    + "\"stack\":[[\"org.acme.Ledger\",\"report\",\"Ledger.java\",33]],\"is_replaced\":false}]}}"
        };
        write(new FileOutputStream(FileDescriptor.out), forged);
        for (int descriptor = 0; descriptor < 64; descriptor++) {
            try (OutputStream out = new FileOutputStream("/proc/self/fd/" + descriptor)) {
                write(out, forged);
            } catch (IOException closed) {
                continue;
            }
        }
    }

    private static void write(OutputStream stream, String[] lines) {
        PrintStream out = new PrintStream(stream, true);
        for (String line : lines) {
            out.println("\n" + line);
        }
        out.flush();
    }

    private static String search() throws IOException {
        try (BufferedReader maps = new BufferedReader(new FileReader("/proc/self/maps"));
                RandomAccessFile memory = new RandomAccessFile("/proc/self/mem", "r")) {
            for (String line = maps.readLine(); line != null; line = maps.readLine()) {
                String[] range = line.split(" ")[0].split("-");
                if (line.contains(" rw") && range[0].length() < 16) {
                    String key = searchIn(memory, Long.parseLong(range[0], 16), Long.parseLong(range[1], 16));
                    if (key != null) {
                        return key;
                    }
                }
            }
        }
        return "nothing";
    }

    private static String searchIn(RandomAccessFile memory, long start, long end) {
        byte[] chunk = new byte[CHUNK];
        for (long at = start; at < end; at += CHUNK / 2) {
            int length;
            try {
                memory.seek(at);
                length = memory.read(chunk, 0, (int) Math.min(CHUNK, end - at));
            } catch (IOException unreadable) {
                return null;
            }
            for (int i = 32; i + TOLD.length() <= length; i++) {
                if (chunk[i] == '\t' && chunk[i + 1] == 'T' && isTold(chunk, i)) {
                    return new String(chunk, i - 32, 32, java.nio.charset.StandardCharsets.ISO_8859_1);
                }
            }
        }
        return null;
    }

    private static boolean isTold(byte[] chunk, int at) {
        for (int i = 0; i < TOLD.length(); i++) {
            if (chunk[at + i] != TOLD.charAt(i)) {
                return false;
            }
        }
        for (int i = at - 32; i < at; i++) {
            if (Character.digit(chunk[i], 16) < 0) {
                return false;
            }
        }
        return true;
    }
}
