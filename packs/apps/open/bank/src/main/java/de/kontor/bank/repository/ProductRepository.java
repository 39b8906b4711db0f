package de.kontor.bank.repository;

import de.kontor.bank.domain.Product;
import de.kontor.bank.jdbc.JdbcClient;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

public class ProductRepository {

    private final JdbcClient jdbc;

    public ProductRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    public void insert(Product product) {
        jdbc.update("product " + product.code(), "insert into product values (?, ?, ?, ?)", product.code(), product.name(),
                product.rateBp(), product.dayCount());
    }

    public Map<String, Product> byCode() {
        return jdbc.query("products",
                        row -> new Product(row.getString("code"), row.getString("name"), row.getInt("rate_bp"), row.getString("day_count")),
                        "select * from product")
                .stream().collect(Collectors.toMap(Product::code, Function.identity()));
    }
}
