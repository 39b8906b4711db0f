package de.kontor.bank.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Supplier;
import javax.sql.DataSource;

public class TransactionManager {

    private final DataSource source;
    private final ThreadLocal<Connection> current = new ThreadLocal<>();

    public TransactionManager(DataSource source) {
        this.source = source;
    }

    public <T> T inTransaction(Supplier<T> work) {
        if (current.get() != null) {
            return work.get();
        }
        try (Connection connection = source.getConnection()) {
            connection.setAutoCommit(false);
            current.set(connection);
            try {
                T result = work.get();
                connection.commit();
                return result;
            } catch (RuntimeException e) {
                connection.rollback();
                throw e;
            } finally {
                current.remove();
            }
        } catch (SQLException e) {
            throw new DataAccessException("transaction failed", e);
        }
    }

    Connection connection() {
        Connection connection = current.get();
        if (connection == null) {
            throw new IllegalStateException("no transaction");
        }
        return connection;
    }
}
