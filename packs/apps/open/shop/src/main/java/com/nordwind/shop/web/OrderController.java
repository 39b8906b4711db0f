package com.nordwind.shop.web;

import com.nordwind.shop.service.CatalogService;
import com.nordwind.shop.service.OrderService;
import java.time.LocalDate;
import java.util.Map;
import java.util.TreeMap;

public class OrderController {

    private final OrderService orders;
    private final CatalogService catalog;

    public OrderController(OrderService orders, CatalogService catalog) {
        this.orders = orders;
        this.catalog = catalog;
    }

    public String place(Request request) {
        Map<String, Integer> basket = new TreeMap<>();
        for (String item : request.get("basket").split(";")) {
            String[] parts = item.split(":");
            basket.merge(parts[0], Integer.valueOf(parts[1]), Integer::sum);
        }
        return String.valueOf(orders.place(request.get("customer"), basket).id());
    }

    public String pay(Request request) {
        LocalDate date = LocalDate.parse(request.get("date"));
        switch (request.get("method")) {
            case "card" -> orders.payByCard(request.id(), request.getOr("reference", ""), date);
            case "gift" -> orders.payByGiftCard(request.id(), request.get("code"), date);
            case "invoice" -> orders.payByInvoice(request.id(), date);
            default -> throw new BadRequestException("unknown method of payment");
        }
        return "paid";
    }

    public String ship(Request request) {
        orders.ship(request.id());
        return "shipped";
    }

    public String cancel(Request request) {
        orders.cancel(request.id());
        return "cancelled";
    }

    public String reprice(Request request) {
        return orders.repriceOpen(request.get("customer")).toString();
    }

    public String discontinue(Request request) {
        catalog.discontinue(request.get("sku"));
        return catalog.onSale().size() + " on sale";
    }
}
