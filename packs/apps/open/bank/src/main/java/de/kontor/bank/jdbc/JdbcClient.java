package de.kontor.bank.jdbc;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

public class JdbcClient {

    private final TransactionManager transactions;

    public JdbcClient(TransactionManager transactions) {
        this.transactions = transactions;
    }

    public int update(String what, String sql, Object... arguments) {
        return transactions.inTransaction(() -> {
            try (PreparedStatement statement = prepare(sql, arguments)) {
                return statement.executeUpdate();
            } catch (SQLException e) {
                throw new DataAccessException("cannot write " + what, e);
            }
        });
    }

    public <T> List<T> query(String what, RowMapper<T> mapper, String sql, Object... arguments) {
        return transactions.inTransaction(() -> {
            try (PreparedStatement statement = prepare(sql, arguments); ResultSet rows = statement.executeQuery()) {
                List<T> result = new ArrayList<>();
                while (rows.next()) {
                    result.add(mapper.map(rows));
                }
                return result;
            } catch (SQLException | IllegalArgumentException e) {
                throw new DataAccessException("cannot read " + what, e);
            }
        });
    }

    private PreparedStatement prepare(String sql, Object... arguments) throws SQLException {
        PreparedStatement statement = transactions.connection().prepareStatement(sql);
        for (int i = 0; i < arguments.length; i++) {
            statement.setObject(i + 1, arguments[i]);
        }
        return statement;
    }
}
