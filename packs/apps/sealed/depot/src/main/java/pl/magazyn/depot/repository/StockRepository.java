package pl.magazyn.depot.repository;

import java.util.List;
import java.util.Optional;
import pl.magazyn.depot.db.Db;
import pl.magazyn.depot.domain.Shelf;

public class StockRepository {

    private final Db db;

    public StockRepository(Db db) {
        this.db = db;
    }

    public void put(Shelf shelf) {
        db.update("merge into stock (sku, location, quantity) values (?, ?, ?)",
                shelf.sku(), shelf.location(), shelf.quantity());
    }

    public List<Shelf> shelves(String sku) {
        return db.query("select sku, location, quantity from stock where sku = ? order by location",
                rs -> new Shelf(rs.getString("sku"), rs.getString("location"), rs.getInt("quantity")), sku);
    }

    /** The fullest shelf with at least so many pieces. */
    public Optional<Shelf> withAtLeast(String sku, int quantity) {
        return shelves(sku).stream()
                .filter(shelf -> shelf.quantity() >= quantity)
                .max((a, b) -> Integer.compare(a.quantity(), b.quantity()));
    }
}
