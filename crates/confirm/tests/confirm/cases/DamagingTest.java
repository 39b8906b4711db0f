import java.io.File;
import java.io.FileWriter;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.junit.Test;

public class DamagingTest {
    /** Does all the harm it can; what succeeds is in the message. */
    @Test
    public void crash() throws Exception {
        File canary = new File(System.getProperty("canary"));
        List<String> done = new ArrayList<>();
        if (new File(canary, "precious").delete()) {
            done.add("deleted");
        }
        try (FileWriter writer = new FileWriter(new File(canary, "new"))) {
            writer.write("x");
            done.add("wrote");
        } catch (IOException denied) {
            // as it should be
        }
        try {
            new ProcessBuilder("/bin/sh", "-c", "touch " + canary + "/run").start().waitFor();
            done.add("ran a program");
        } catch (IOException denied) {
            // as it should be
        }
        try (Socket socket = new Socket("127.0.0.1", Integer.getInteger("port"))) {
            done.add("connected");
        } catch (IOException denied) {
            // as it should be
        }
        try (FileWriter writer = new FileWriter("work.txt")) {
            writer.write("allowed");
        }
        File.createTempFile("also", "allowed");
        throw new IllegalStateException("harm: " + done);
    }
}
