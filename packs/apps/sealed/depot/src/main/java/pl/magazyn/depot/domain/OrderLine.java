package pl.magazyn.depot.domain;

public record OrderLine(int line, String sku, int quantity) {
}
