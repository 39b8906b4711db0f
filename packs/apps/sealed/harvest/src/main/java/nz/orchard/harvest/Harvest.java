package nz.orchard.harvest;

import java.io.PrintWriter;
import java.util.List;
import nz.orchard.harvest.cli.HarvestCli;
import nz.orchard.harvest.cli.PayCommand;
import nz.orchard.harvest.cli.RankCommand;
import nz.orchard.harvest.service.Wages;

public final class Harvest {

    private Harvest() {
    }

    public static void main(String[] args) {
        HarvestCli cli = new HarvestCli(
                List.of(new RankCommand(), new PayCommand(Wages.standard())), new PrintWriter(System.out));
        System.exit(cli.run(args));
    }
}
