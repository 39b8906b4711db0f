package puzzles;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringReader;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

/** What happened in the field: prints the trace of one crash. */
public class Field {
    public static void main(String[] args) {
        try {
            run(args[0]);
        } catch (IOException impossible) {
            throw new AssertionError(impossible);
        } catch (RuntimeException crash) {
            StackTraceElement[] frames = crash.getStackTrace();
            int end = frames.length;
            while (frames[end - 1].getClassName().equals("puzzles.Field")) {
                end--;
            }
            crash.setStackTrace(Arrays.copyOf(frames, end));
            crash.printStackTrace();
        }
    }

    private static void run(String name) throws IOException {
        switch (name) {
            case "line": Numbers.line(127, 115); break;
            case "bits": Numbers.bits(0x7F00000000004200L); break;
            case "header": Numbers.header(new byte[] {'R', 'I', 'F', 1, 0}); break;
            case "state": {
                Account account = new Account("Ada");
                account.open();
                account.deposit(700);
                account.freeze();
                account.report();
                break;
            }
            case "empty": new Account("Ada").last(); break;
            case "agree":
                new Orders(new Orders.Customer(new Orders.Address("Bergen"), 5)).label();
                break;
            case "element": Orders.total(Arrays.asList(1, null)); break;
            case "static": {
                Registry.setMode(17);
                Registry.use(key -> null);
                Registry.length("x");
                break;
            }
            case "text": Registry.parse("v=12x4"); break;
            case "cast": Registry.pick(new Object[] {1, 2, 3, 4, 5}, 3); break;
            case "magic": Inputs.magic(new ByteArrayInputStream(new byte[] {0x7F, 5, 1})); break;
            case "quoted": Inputs.quoted(new StringReader("\"%d")); break;
            case "lookup": {
                Map<String, String> settings = new HashMap<>();
                settings.put("mode", "strict");
                Inputs.lookup(settings);
                break;
            }
            case "walk": Inputs.walk(Arrays.asList((String) null).iterator()); break;
            case "any": Inputs.any(Collections.singleton(17)); break;
            case "task": {
                new Inputs.Task() {
                    @Override
                    protected int weight() {
                        return 7;
                    }
                };
                Inputs.weigh();
                break;
            }
            default: throw new IllegalArgumentException(name);
        }
    }
}
