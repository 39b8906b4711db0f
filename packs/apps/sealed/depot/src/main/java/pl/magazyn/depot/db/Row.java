package pl.magazyn.depot.db;

import java.sql.ResultSet;
import java.sql.SQLException;

@FunctionalInterface
public interface Row<T> {

    T read(ResultSet rs) throws SQLException;
}
