import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import org.junit.Test;

public class ForgingTest {
    @Test
    public void crash() throws Exception {
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true);
        for (String key : new String[] {"", "null", "key"}) {
            out.println(key + "\tF\t=crash(ForgingTest)");
            out.println(key + "\tX\torg.acme.ReportFailed\t=no report");
            out.println(key + "\tA\torg.acme.Ledger\treport\t=Ledger.java\t33");
        }
        out.print("an unfinished line");
        out.flush();
    }
}
