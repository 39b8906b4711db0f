package pl.magazyn.depot.service;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import pl.magazyn.depot.domain.OrderState;
import pl.magazyn.depot.repository.OrderRepository;

/** Shares the picked orders of a tour out among vans. */
public class LoadPlanner {

    private final OrderRepository orders;
    private final BigDecimal payload;

    public LoadPlanner(OrderRepository orders, BigDecimal payload) {
        this.orders = orders;
        this.payload = payload;
    }

    public Map<Integer, List<Integer>> plan(String tour) {
        Map<Integer, List<Integer>> vans = new TreeMap<>();
        BigDecimal load = BigDecimal.ZERO;
        int van = 1;
        for (int order : orders.idsOfTour(tour, OrderState.PICKED)) {
            BigDecimal kg = kg(order);
            if (load.add(kg).compareTo(payload) > 0) {
                van++;
                load = BigDecimal.ZERO;
            }
            load = load.add(kg);
            vans.computeIfAbsent(van, v -> new ArrayList<>()).add(order);
        }
        return vans;
    }

    private BigDecimal kg(int order) {
        BigDecimal kg = orders.weight(order);
        if (kg.compareTo(payload) > 0) {
            throw new IllegalArgumentException("order " + order + " weighs " + kg + " kg, a van takes " + payload);
        }
        return kg;
    }
}
