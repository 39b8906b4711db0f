package org.gridworks.meter.cli;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.gridworks.meter.io.MeterFile;
import org.gridworks.meter.io.ReadingFile;
import org.gridworks.meter.io.ReadingParser;
import org.gridworks.meter.service.ConsumptionService;
import org.gridworks.meter.service.ReadingStore;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "total", description = "Add up what went through a meter.")
public class TotalCommand implements Callable<Integer> {

    @Option(names = "--meters", required = true)
    private Path meters;

    @Option(names = "--readings", required = true)
    private Path readings;

    @Parameters(index = "0")
    private String meter;

    @Override
    public Integer call() {
        ReadingStore store = new ReadingStore();
        store.addAll(new ReadingFile(new ReadingParser()).load(readings));
        double total = new ConsumptionService(new MeterFile().load(meters), store).total(meter);
        System.out.printf("%s %.1f kWh%n", meter, total);
        return 0;
    }
}
