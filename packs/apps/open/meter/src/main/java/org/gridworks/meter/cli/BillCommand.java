package org.gridworks.meter.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.gridworks.meter.domain.Bill;
import org.gridworks.meter.io.ReadingFile;
import org.gridworks.meter.io.ReadingParser;
import org.gridworks.meter.io.TariffFile;
import org.gridworks.meter.service.BillingService;
import org.gridworks.meter.service.ReadingStore;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "bill", description = "Price what was used between readings.")
public class BillCommand implements Callable<Integer> {

    @Option(names = "--tariff", required = true)
    private Path tariff;

    @Parameters(arity = "1..*")
    private List<Path> readings;

    @Override
    public Integer call() {
        ReadingStore store = new ReadingStore();
        ReadingFile file = new ReadingFile(new ReadingParser());
        for (Path path : readings) {
            store.addAll(file.load(path));
        }
        for (Bill bill : new BillingService(store, new TariffFile().load(tariff)).bills()) {
            System.out.printf("%s %d%n", bill.meter(), bill.total());
        }
        return 0;
    }
}
