package com.nordwind.shop.service;

import com.nordwind.shop.domain.Money;
import com.nordwind.shop.domain.Product;
import com.nordwind.shop.repository.Repository;
import java.util.List;
import java.util.Optional;

public class CatalogService {

    private final Repository<String, Product> products;

    public CatalogService(Repository<String, Product> products) {
        this.products = products;
    }

    public void add(String sku, String name, Money price) {
        products.save(new Product(sku, name, price));
    }

    public void discontinue(String sku) {
        products.save(products.require(sku).discontinue());
    }

    public Optional<Product> onSale(String sku) {
        return products.find(sku).filter(p -> !p.discontinued());
    }

    public List<Product> onSale() {
        return products.all().filter(p -> !p.discontinued()).toList();
    }
}
