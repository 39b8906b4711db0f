package com.nordwind.shop.service;

import com.nordwind.shop.domain.Order;
import com.nordwind.shop.repository.Repository;
import java.util.Comparator;
import java.util.List;

public class StatementService {

    private final Repository<Long, Order> orders;
    private final PaymentFormatter formatter;

    public StatementService(Repository<Long, Order> orders, PaymentFormatter formatter) {
        this.orders = orders;
        this.formatter = formatter;
    }

    public List<String> forCustomer(String customerId) {
        return orders.all()
                .filter(order -> order.customerId().equals(customerId))
                .filter(order -> order.payment().isPresent())
                .sorted(Comparator.comparing(Order::paidOn))
                .map(this::line)
                .toList();
    }

    private String line(Order order) {
        return order.id() + " " + order.status() + " " + order.payment().map(formatter::describe).orElse("");
    }
}
