package pl.magazyn.depot.db;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;

/** A thin layer over JDBC. */
public class Db {

    private final DataSource source;

    public Db(DataSource source) {
        this.source = source;
    }

    public static Db inMemory(String name) {
        Db db = new Db(JdbcConnectionPool.create("jdbc:h2:mem:" + name + ";DB_CLOSE_DELAY=-1", "sa", ""));
        db.update(resource("/schema.sql"));
        return db;
    }

    public <T> List<T> query(String sql, Row<T> row, Object... args) {
        try (Connection c = source.getConnection(); PreparedStatement s = prepare(c, sql, args);
                ResultSet rs = s.executeQuery()) {
            List<T> result = new ArrayList<>();
            while (rs.next()) {
                result.add(row.read(rs));
            }
            return result;
        } catch (SQLException e) {
            throw new DbException("query failed: " + sql, e);
        }
    }

    public int update(String sql, Object... args) {
        try (Connection c = source.getConnection(); PreparedStatement s = prepare(c, sql, args)) {
            return s.executeUpdate();
        } catch (SQLException e) {
            throw new DbException("update failed: " + sql, e);
        }
    }

    private static PreparedStatement prepare(Connection c, String sql, Object... args) throws SQLException {
        PreparedStatement s = c.prepareStatement(sql);
        for (int i = 0; i < args.length; i++) {
            s.setObject(i + 1, args[i]);
        }
        return s;
    }

    private static String resource(String name) {
        try (InputStream in = Db.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
