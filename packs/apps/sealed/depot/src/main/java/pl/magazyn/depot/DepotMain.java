package pl.magazyn.depot;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import pl.magazyn.depot.app.DepotCommands;
import pl.magazyn.depot.app.Terminal;
import pl.magazyn.depot.db.Db;
import pl.magazyn.depot.repository.ArticleRepository;
import pl.magazyn.depot.repository.OrderRepository;
import pl.magazyn.depot.repository.StockRepository;
import pl.magazyn.depot.service.ArticleSearch;
import pl.magazyn.depot.service.LoadPlanner;
import pl.magazyn.depot.service.WaveService;

public final class DepotMain {

    private DepotMain() {
    }

    public static void main(String[] args) throws IOException {
        ExecutorService pickers = Executors.newFixedThreadPool(Integer.getInteger("depot.pickers", 3));
        try {
            Terminal terminal = terminal(Db.inMemory("depot"), pickers);
            for (String file : args) {
                Files.readAllLines(Path.of(file)).stream().filter(line -> !line.isBlank()).forEach(terminal::enter);
            }
        } finally {
            pickers.shutdown();
        }
    }

    private static Terminal terminal(Db db, ExecutorService pickers) {
        ArticleRepository articles = new ArticleRepository(db);
        StockRepository stock = new StockRepository(db);
        OrderRepository orders = new OrderRepository(db);
        DepotCommands commands = new DepotCommands(articles, stock, orders, new ArticleSearch(articles),
                new WaveService(orders, stock, pickers), new LoadPlanner(orders, new BigDecimal("900")));
        return new Terminal()
                .on("article", commands::article)
                .on("stock", commands::stock)
                .on("order", commands::order)
                .on("find", commands::find)
                .on("wave", commands::wave)
                .on("load", commands::load);
    }
}
