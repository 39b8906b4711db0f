package org.gridworks.meter.cli;

import java.util.logging.Level;
import java.util.logging.Logger;
import picocli.CommandLine;
import picocli.CommandLine.Command;

@Command(name = "meterctl", mixinStandardHelpOptions = true, version = "0.9.4",
        subcommands = {BillCommand.class, TotalCommand.class, RootsCommand.class})
public class MeterCtl {

    private static final Logger LOG = Logger.getLogger(MeterCtl.class.getName());

    public static void main(String[] args) {
        int status;
        try {
            status = new CommandLine(new MeterCtl())
                    .setExecutionExceptionHandler((e, command, parsed) -> {
                        LOG.log(Level.SEVERE, command.getCommandName() + " failed", e);
                        return 1;
                    })
                    .execute(args);
        } catch (Error e) {
            LOG.log(Level.SEVERE, "meterctl must end", e);
            status = 70;
        }
        System.exit(status);
    }
}
