package pl.magazyn.depot.app;

import java.math.BigDecimal;
import java.util.List;
import pl.magazyn.depot.domain.Article;
import pl.magazyn.depot.domain.PickOrder;
import pl.magazyn.depot.domain.Shelf;
import pl.magazyn.depot.repository.ArticleRepository;
import pl.magazyn.depot.repository.OrderRepository;
import pl.magazyn.depot.repository.StockRepository;
import pl.magazyn.depot.service.ArticleSearch;
import pl.magazyn.depot.service.LoadPlanner;
import pl.magazyn.depot.service.WaveService;

public class DepotCommands {

    private final ArticleRepository articles;
    private final StockRepository stock;
    private final OrderRepository orders;
    private final ArticleSearch search;
    private final WaveService waves;
    private final LoadPlanner planner;

    public DepotCommands(ArticleRepository articles, StockRepository stock, OrderRepository orders,
            ArticleSearch search, WaveService waves, LoadPlanner planner) {
        this.articles = articles;
        this.stock = stock;
        this.orders = orders;
        this.search = search;
        this.waves = waves;
        this.planner = planner;
    }

    /** sku, kg or -, name */
    public String article(List<String> args) {
        BigDecimal kg = args.get(1).equals("-") ? null : new BigDecimal(args.get(1));
        articles.insert(new Article(args.get(0), String.join(" ", args.subList(2, args.size())), kg));
        return "ok";
    }

    public String stock(List<String> args) {
        stock.put(new Shelf(args.get(0), args.get(1), Integer.parseInt(args.get(2))));
        return "ok";
    }

    /** id, customer, tour, sku=quantity .. */
    public String order(List<String> args) {
        PickOrder.Builder builder = PickOrder.builder(Integer.parseInt(args.get(0)))
                .customer(args.get(1))
                .tour(args.get(2));
        for (String line : args.subList(3, args.size())) {
            String[] parts = line.split("=");
            builder.line(parts[0], Integer.parseInt(parts[1]));
        }
        orders.insert(builder.build());
        return "ok";
    }

    public String find(List<String> args) {
        return search.find(args).toString();
    }

    public String wave(List<String> args) {
        return waves.pick(args.get(0)).size() + " orders";
    }

    public String load(List<String> args) {
        return planner.plan(args.get(0)).toString();
    }
}
