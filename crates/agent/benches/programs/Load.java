import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileReader;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;

/** Work for the recorder to be measured with; prints the processor time that it took in all. */
public class Load {
    public static void main(String[] args) throws Exception {
        long result;
        switch (args[0]) {
            case "read":
                result = new Reading().run(new File(args[1]));
                break;
            case "strings":
                result = new Strings().run(new File(args[1]));
                break;
            default:
                result = 0;
        }
        com.sun.management.OperatingSystemMXBean system =
            (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        System.out.println(result);
        System.out.println(system.getProcessCpuTime());
    }
}

/** Reads a file in blocks, several times, and adds up checksums. */
class Reading {
    private final byte[] block = new byte[8192];

    long run(File file) throws IOException {
        long sum = 0;
        for (int i = 0; i < 250; i++) {
            try (InputStream in = new BufferedInputStream(new FileInputStream(file))) {
                sum += read(in);
            }
        }
        return sum;
    }

    private long read(InputStream in) throws IOException {
        long sum = 0;
        int count;
        while ((count = in.read(block)) > 0) {
            sum = add(sum, count);
        }
        return sum;
    }

    private long add(long sum, int count) {
        for (int i = 0; i < count; i++) {
            sum = sum * 31 + block[i];
        }
        return sum;
    }
}

/** Reads lines, takes them apart, changes and counts the parts. */
class Strings {
    private final Map<String, Integer> counts = new HashMap<>();

    long run(File file) throws IOException {
        long sum = 0;
        for (int i = 0; i < 12; i++) {
            try (BufferedReader in = new BufferedReader(new FileReader(file))) {
                String line;
                while ((line = in.readLine()) != null) {
                    sum += line(line);
                }
            }
        }
        return sum + counts.size();
    }

    private int line(String line) {
        int sum = 0;
        for (String field : line.split(";")) {
            sum += field(field.trim());
        }
        return sum;
    }

    private int field(String field) {
        if (!field.isEmpty() && Character.isDigit(field.charAt(0))) {
            return Integer.parseInt(field);
        }
        String name = normal(field);
        count(name);
        return name.hashCode() & 15;
    }

    private String normal(String field) {
        return field.replace('-', '_').toLowerCase();
    }

    private void count(String name) {
        Integer before = counts.get(name);
        counts.put(name, before == null ? 1 : before + 1);
    }
}
