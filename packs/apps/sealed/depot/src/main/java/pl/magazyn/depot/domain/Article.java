package pl.magazyn.depot.domain;

import java.math.BigDecimal;

public record Article(String sku, String name, BigDecimal kg) {
}
