package eu.parcelo.hub;

import eu.parcelo.hub.handler.AnnounceHandler;
import eu.parcelo.hub.handler.Dispatcher;
import eu.parcelo.hub.handler.InvoiceHandler;
import eu.parcelo.hub.handler.RerouteHandler;
import eu.parcelo.hub.handler.ScanHandler;
import eu.parcelo.hub.handler.WeighHandler;
import eu.parcelo.hub.message.Message;
import eu.parcelo.hub.message.MessageParser;
import eu.parcelo.hub.service.InvoiceService;
import eu.parcelo.hub.service.RoutingService;
import eu.parcelo.hub.service.TrackingService;
import eu.parcelo.hub.service.WeighingService;
import eu.parcelo.hub.store.AttributeStore;
import eu.parcelo.hub.store.ParcelStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads messages from standard input; those of one parcel or customer stay in order. */
public final class Hub {

    private static final Logger LOG = LoggerFactory.getLogger(Hub.class);

    private Hub() {
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        int lanes = args.length > 0 ? Integer.parseInt(args[0]) : 2;
        ExecutorService pool = Executors.newFixedThreadPool(lanes);
        Dispatcher dispatcher = dispatcher();
        List<Lane> all = new ArrayList<>();
        for (int i = 0; i < lanes; i++) {
            Lane lane = new Lane(dispatcher);
            all.add(lane);
            pool.execute(lane);
        }
        MessageParser parser = new MessageParser();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        int n = 0;
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            if (!line.isBlank()) {
                Message message = parser.parse(line);
                all.get(Math.floorMod(message.id().hashCode(), lanes)).offer(message);
                n++;
            }
        }
        all.forEach(Lane::end);
        pool.shutdown();
        pool.awaitTermination(1, TimeUnit.MINUTES);
        LOG.info("{} messages", n);
    }

    private static Dispatcher dispatcher() {
        ParcelStore parcels = new ParcelStore();
        AttributeStore attributes = new AttributeStore();
        TrackingService tracking = new TrackingService(parcels, attributes);
        WeighingService weighing = new WeighingService(attributes);
        return new Dispatcher()
                .register("ANNOUNCE", new AnnounceHandler(tracking))
                .register("SCAN", new ScanHandler(tracking))
                .register("REROUTE", new RerouteHandler(new RoutingService(parcels)))
                .register("WEIGHT", new WeighHandler(weighing))
                .register("INVOICE", new InvoiceHandler(new InvoiceService(parcels, weighing)))
                .register("COMPACT", message -> LOG.info("{} parcels compacted", parcels.compact()));
    }
}
