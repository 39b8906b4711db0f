package io.viaduct.tolls;

import io.viaduct.tolls.message.MessageReader;
import io.viaduct.tolls.queue.Consumer;
import io.viaduct.tolls.queue.Handler;
import io.viaduct.tolls.queue.Intake;
import io.viaduct.tolls.service.BillingService;
import io.viaduct.tolls.service.PassageService;
import io.viaduct.tolls.service.TollCalculator;
import io.viaduct.tolls.store.AccountStore;
import io.viaduct.tolls.store.GantryStore;
import io.viaduct.tolls.store.TagStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads messages from standard input, a JSON document on each line. */
public final class TollsMain {

    private static final Logger LOG = LoggerFactory.getLogger(TollsMain.class);

    private TollsMain() {
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        BlockingQueue<String> queue = new ArrayBlockingQueue<>(100);
        int threads = args.length > 0 ? Integer.parseInt(args[0]) : 1;
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        Handler handler = handler();
        for (int i = 0; i < threads; i++) {
            pool.execute(new Consumer(queue, new MessageReader(), handler));
        }
        int n = new Intake(queue).readAll(new BufferedReader(new InputStreamReader(System.in)));
        pool.shutdown();
        if (!pool.awaitTermination(1, TimeUnit.MINUTES)) {
            LOG.warn("consumers are still busy");
        }
        LOG.info("{} messages", n);
    }

    private static Handler handler() {
        GantryStore gantries = new GantryStore();
        TagStore tags = new TagStore();
        AccountStore accounts = new AccountStore();
        return new Handler(gantries, tags, new PassageService(gantries, tags, accounts, new TollCalculator()),
                new BillingService(accounts));
    }
}
