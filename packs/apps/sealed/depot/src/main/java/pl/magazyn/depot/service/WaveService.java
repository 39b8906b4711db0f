package pl.magazyn.depot.service;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import pl.magazyn.depot.domain.OrderState;
import pl.magazyn.depot.repository.OrderRepository;
import pl.magazyn.depot.repository.StockRepository;

/** Picks all open orders of a tour side by side. */
public class WaveService {

    private static final Logger LOG = LogManager.getLogger();

    private final OrderRepository orders;
    private final StockRepository stock;
    private final ExecutorService pool;

    public WaveService(OrderRepository orders, StockRepository stock, ExecutorService pool) {
        this.orders = orders;
        this.stock = stock;
        this.pool = pool;
    }

    public Map<Integer, List<String>> pick(String tour) {
        Map<Integer, Future<List<String>>> tasks = new LinkedHashMap<>();
        for (int order : orders.idsOfTour(tour, OrderState.OPEN)) {
            tasks.put(order, pool.submit(new PickTask(order, orders, stock)));
        }
        Map<Integer, List<String>> routes = new LinkedHashMap<>();
        tasks.forEach((order, task) -> routes.put(order, result(tour, order, task)));
        return routes;
    }

    private static List<String> result(String tour, int order, Future<List<String>> task) {
        try {
            List<String> route = task.get();
            LOG.info("order {}: {}", order, route.isEmpty() ? "short" : route);
            return route;
        } catch (ExecutionException e) {
            throw new WaveException("wave of tour " + tour + " stopped at order " + order, e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new WaveException("wave of tour " + tour + " interrupted", e);
        }
    }
}
