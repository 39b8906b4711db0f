package nz.orchard.harvest.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import nz.orchard.harvest.io.BinReader;
import nz.orchard.harvest.io.Sheet;
import nz.orchard.harvest.service.BinStore;

public class HarvestCli {

    private static final Logger LOG = Logger.getLogger(HarvestCli.class.getName());

    private final List<Command> commands;
    private final Sheet sheet = new Sheet(new BinReader());
    private final PrintWriter out;

    public HarvestCli(List<Command> commands, PrintWriter out) {
        this.commands = commands;
        this.out = out;
    }

    /** The status that the program ends with. */
    public int run(String... args) {
        try {
            Options options = Options.parse(args);
            Command command = commands.stream()
                    .filter(c -> c.name().equals(options.command()))
                    .findFirst()
                    .orElseThrow(() -> new UsageException("no command " + options.command()));
            command.run(load(options), options, out);
            return 0;
        } catch (UsageException e) {
            LOG.warning(e.getMessage());
            return 2;
        } catch (RuntimeException e) {
            LOG.log(Level.SEVERE, String.join(" ", args), e);
            return 1;
        } finally {
            out.flush();
        }
    }

    private BinStore load(Options options) {
        BinStore store = new BinStore();
        for (Path file : options.files()) {
            store.addAll(sheet.load(file));
            LOG.info(file + " loaded");
        }
        return store;
    }
}
