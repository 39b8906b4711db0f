package nz.orchard.harvest.cli;

import java.io.PrintWriter;
import nz.orchard.harvest.service.BinStore;

public interface Command {

    String name();

    void run(BinStore store, Options options, PrintWriter out);
}
