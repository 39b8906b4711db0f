package pl.magazyn.depot.service;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import pl.magazyn.depot.domain.OrderLine;
import pl.magazyn.depot.domain.OrderState;
import pl.magazyn.depot.domain.Shelf;
import pl.magazyn.depot.repository.OrderRepository;
import pl.magazyn.depot.repository.StockRepository;

/** Takes what one order needs from the shelves. */
public class PickTask implements Callable<List<String>> {

    private final int order;
    private final OrderRepository orders;
    private final StockRepository stock;

    public PickTask(int order, OrderRepository orders, StockRepository stock) {
        this.order = order;
        this.orders = orders;
        this.stock = stock;
    }

    @Override
    public List<String> call() {
        List<OrderLine> lines = orders.lines(order);
        if (!isComplete(lines)) {
            orders.setState(order, OrderState.SHORT);
            return List.of();
        }
        List<String> route = new ArrayList<>();
        for (OrderLine line : lines) {
            route.add(take(line));
        }
        orders.setState(order, OrderState.PICKED);
        return route;
    }

    private boolean isComplete(List<OrderLine> lines) {
        return lines.stream().allMatch(line -> stock.withAtLeast(line.sku(), line.quantity()).isPresent());
    }

    private String take(OrderLine line) {
        Shelf shelf = stock.withAtLeast(line.sku(), line.quantity()).orElseThrow(() -> new IllegalStateException(
                "order " + order + " line " + line.line() + ": no shelf has " + line.quantity() + " of " + line.sku()));
        stock.put(new Shelf(shelf.sku(), shelf.location(), shelf.quantity() - line.quantity()));
        return shelf.location();
    }
}
