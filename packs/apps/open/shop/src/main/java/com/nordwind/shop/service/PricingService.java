package com.nordwind.shop.service;

import com.nordwind.shop.domain.Customer;
import com.nordwind.shop.domain.Money;
import com.nordwind.shop.domain.Order;
import com.nordwind.shop.domain.OrderLine;
import com.nordwind.shop.repository.Repository;

public class PricingService {

    private static final String CURRENCY = "EUR";

    private final CatalogService catalog;
    private final Repository<String, Customer> customers;

    public PricingService(CatalogService catalog, Repository<String, Customer> customers) {
        this.catalog = catalog;
        this.customers = customers;
    }

    public Money total(Order order) {
        Money sum = order.lines().stream()
                .map(this::lineTotal)
                .reduce(Money.zero(CURRENCY), Money::plus);
        int discount = customers.require(order.customerId()).group().discountPercent();
        return sum.minus(sum.percent(discount));
    }

    private Money lineTotal(OrderLine line) {
        return catalog.onSale(line.sku()).orElseThrow().price().times(line.quantity());
    }
}
