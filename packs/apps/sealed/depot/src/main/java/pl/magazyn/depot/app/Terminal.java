package pl.magazyn.depot.app;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

public class Terminal {

    private static final Logger LOG = LogManager.getLogger();

    private final Map<String, Command> commands = new HashMap<>();

    public Terminal on(String name, Command command) {
        commands.put(name, command);
        return this;
    }

    public void enter(String line) {
        List<String> words = Arrays.asList(line.trim().split("\\s+"));
        Command command = commands.get(words.get(0));
        if (command == null) {
            LOG.warn("no command {}", words.get(0));
            return;
        }
        try {
            LOG.info("{}: {}", line, command.run(words.subList(1, words.size())));
        } catch (RuntimeException e) {
            LOG.error("{} failed", line, e);
        }
    }
}
