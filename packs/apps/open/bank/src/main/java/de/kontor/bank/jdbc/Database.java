package de.kontor.bank.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;

/** The database in memory, with its tables. */
public class Database {

    private final JdbcClient client;
    private final TransactionManager transactions;

    public Database(String name) {
        JdbcDataSource source = new JdbcDataSource();
        source.setURL("jdbc:h2:mem:" + name + ";DB_CLOSE_DELAY=-1");
        this.transactions = new TransactionManager((DataSource) source);
        this.client = new JdbcClient(transactions);
        run(resource("/schema.sql"));
    }

    public void run(String script) {
        for (String sql : script.split(";")) {
            if (!sql.isBlank()) {
                client.update("script", sql);
            }
        }
    }

    public JdbcClient client() {
        return client;
    }

    public TransactionManager transactions() {
        return transactions;
    }

    private static String resource(String name) {
        try (InputStream in = Database.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
