package nz.orchard.harvest.cli;

import java.io.PrintWriter;
import java.time.LocalDate;
import java.util.List;
import nz.orchard.harvest.service.BinStore;
import nz.orchard.harvest.service.Ranking;

public class RankCommand implements Command {

    @Override
    public String name() {
        return "rank";
    }

    @Override
    public void run(BinStore store, Options options, PrintWriter out) {
        Ranking ranking = new Ranking(store);
        List<LocalDate> days = options.day().map(List::of).orElseGet(store::days);
        for (LocalDate day : days) {
            out.println(day + ": " + String.join(", ", ranking.of(day)));
        }
    }
}
