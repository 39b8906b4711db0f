package nz.orchard.harvest.cli;

import java.io.PrintWriter;
import java.util.List;
import nz.orchard.harvest.service.BinStore;
import nz.orchard.harvest.service.Payroll;
import nz.orchard.harvest.service.Wages;

public class PayCommand implements Command {

    private final Wages wages;

    public PayCommand(Wages wages) {
        this.wages = wages;
    }

    @Override
    public String name() {
        return "pay";
    }

    @Override
    public void run(BinStore store, Options options, PrintWriter out) {
        Payroll payroll = new Payroll(store, wages);
        options.day().map(List::of).orElseGet(store::days)
                .forEach(day -> payroll.of(day).forEach((team, pay) -> out.println(day + " " + team + " " + pay)));
    }
}
