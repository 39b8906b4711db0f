package org.gridworks.meter.cli;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.gridworks.meter.io.MeterFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(name = "roots", description = "List the meters that hang behind no other.")
public class RootsCommand implements Callable<Integer> {

    @Parameters(index = "0")
    private Path meters;

    @Override
    public Integer call() {
        new MeterFile().load(meters).roots().forEach(m -> System.out.println(m.getId() + " " + m.getPlace()));
        return 0;
    }
}
