package de.kontor.bank.repository;

import de.kontor.bank.domain.Transfer;
import de.kontor.bank.jdbc.JdbcClient;
import java.util.List;

public class TransferRepository {

    private final JdbcClient jdbc;

    public TransferRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    public void insert(Transfer transfer) {
        jdbc.update("transfer " + transfer.id(), "insert into transfer values (?, ?, ?, ?, ?)", transfer.id(), transfer.from(),
                transfer.to(), transfer.cents(), transfer.done());
    }

    public void markDone(long id) {
        jdbc.update("transfer " + id, "update transfer set done = true where id = ?", id);
    }

    public List<Transfer> findPending() {
        return jdbc.query("transfers",
                row -> new Transfer(row.getLong("id"), row.getString("from_iban"), row.getString("to_iban"), row.getLong("cents"),
                        row.getBoolean("done")),
                "select * from transfer where not done order by id");
    }
}
