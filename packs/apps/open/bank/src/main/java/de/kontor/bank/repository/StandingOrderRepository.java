package de.kontor.bank.repository;

import de.kontor.bank.domain.Rhythm;
import de.kontor.bank.domain.StandingOrder;
import de.kontor.bank.jdbc.JdbcClient;
import java.time.LocalDate;
import java.util.List;

public class StandingOrderRepository {

    private final JdbcClient jdbc;

    public StandingOrderRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    public void insert(StandingOrder order) {
        jdbc.update("standing order " + order.id(), "insert into standing_order values (?, ?, ?, ?, ?, ?)", order.id(), order.from(),
                order.to(), order.cents(), order.rhythm().name(), order.next());
    }

    public void update(StandingOrder order) {
        jdbc.update("standing order " + order.id(), "update standing_order set next_on = ? where id = ?", order.next(), order.id());
    }

    public List<StandingOrder> findDue(LocalDate date) {
        return jdbc.query("standing orders",
                row -> new StandingOrder(row.getLong("id"), row.getString("from_iban"), row.getString("to_iban"), row.getLong("cents"),
                        Rhythm.valueOf(row.getString("rhythm")), row.getObject("next_on", LocalDate.class)),
                "select * from standing_order where next_on <= ? order by id", date);
    }
}
