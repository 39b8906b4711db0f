package pl.magazyn.depot.domain;

/** What lies of an article at a location. */
public record Shelf(String sku, String location, int quantity) {
}
