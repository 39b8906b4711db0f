package de.kontor.bank.batch;

import de.kontor.bank.jdbc.Database;
import de.kontor.bank.repository.AccountRepository;
import de.kontor.bank.repository.BookingRepository;
import de.kontor.bank.repository.ProductRepository;
import de.kontor.bank.repository.StandingOrderRepository;
import de.kontor.bank.repository.TransferRepository;
import de.kontor.bank.service.InterestCalculator;
import de.kontor.bank.service.InterestService;
import de.kontor.bank.service.StandingOrderService;
import de.kontor.bank.service.TransferService;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;

/** NightlyBatch DUMP FIRST-DAY LAST-DAY: loads the dump, works the days off. */
public final class NightlyBatch {

    private NightlyBatch() {
    }

    public static void main(String[] args) throws IOException {
        Database database = new Database("bank");
        database.run(Files.readString(Path.of(args[0])));
        JobRunner runner = new JobRunner(jobs(database));
        int failed = 0;
        for (LocalDate day = LocalDate.parse(args[1]); !day.isAfter(LocalDate.parse(args[2])); day = day.plusDays(1)) {
            failed += runner.runAll(day);
        }
        System.exit(failed == 0 ? 0 : 1);
    }

    private static List<Job> jobs(Database database) {
        AccountRepository accounts = new AccountRepository(database.client());
        TransferService transfers = new TransferService(database.transactions(), accounts, new BookingRepository(database.client()),
                new TransferRepository(database.client()));
        return List.of(
                new TransferJob(transfers),
                new StandingOrderJob(new StandingOrderService(database.transactions(), accounts,
                        new StandingOrderRepository(database.client()), transfers)),
                new InterestJob(new InterestService(database.transactions(), accounts, new ProductRepository(database.client()),
                        new InterestCalculator())));
    }
}
