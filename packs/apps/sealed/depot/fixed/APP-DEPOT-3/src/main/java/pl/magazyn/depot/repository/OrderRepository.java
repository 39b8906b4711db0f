package pl.magazyn.depot.repository;

import java.math.BigDecimal;
import java.util.List;
import pl.magazyn.depot.db.Db;
import pl.magazyn.depot.domain.OrderLine;
import pl.magazyn.depot.domain.OrderState;
import pl.magazyn.depot.domain.PickOrder;

public class OrderRepository {

    private final Db db;

    public OrderRepository(Db db) {
        this.db = db;
    }

    public void insert(PickOrder order) {
        db.update("insert into pick_order (id, customer, tour, state) values (?, ?, ?, ?)",
                order.id(), order.customer(), order.tour(), OrderState.OPEN.name());
        order.lines().forEach(line -> db.update(
                "insert into order_line (order_id, line, sku, quantity) values (?, ?, ?, ?)",
                order.id(), line.line(), line.sku(), line.quantity()));
    }

    public void setState(int id, OrderState state) {
        db.update("update pick_order set state = ? where id = ?", state.name(), id);
    }

    public List<Integer> idsOfTour(String tour, OrderState state) {
        return db.query("select id from pick_order where tour = ? and state = ? order by id",
                rs -> rs.getInt("id"), tour, state.name());
    }

    public List<OrderLine> lines(int order) {
        return db.query("select line, sku, quantity from order_line where order_id = ? order by line",
                rs -> new OrderLine(rs.getInt("line"), rs.getString("sku"), rs.getInt("quantity")), order);
    }

    public BigDecimal weight(int order) {
        return db.query("select l.quantity, coalesce(a.kg, 0) kg from order_line l join article a on a.sku = l.sku where l.order_id = ?",
                        rs -> rs.getBigDecimal("kg").multiply(rs.getBigDecimal("quantity")), order)
                .stream().reduce(BigDecimal.ZERO, BigDecimal::add);
    }
}
