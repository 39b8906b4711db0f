package com.nordwind.shop.service;

import com.nordwind.shop.domain.Authorisation;
import com.nordwind.shop.domain.Money;
import com.nordwind.shop.domain.Order;
import com.nordwind.shop.domain.OrderStatus;
import com.nordwind.shop.domain.Payment;
import com.nordwind.shop.repository.Repository;
import java.time.LocalDate;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.atomic.AtomicLong;

public class OrderService {

    private final Repository<Long, Order> orders;
    private final CustomerService customers;
    private final PricingService pricing;
    private final RefundService refunds;
    private final AtomicLong ids = new AtomicLong(1000);

    public OrderService(Repository<Long, Order> orders, CustomerService customers, PricingService pricing, RefundService refunds) {
        this.orders = orders;
        this.customers = customers;
        this.pricing = pricing;
        this.refunds = refunds;
    }

    public Order place(String customerId, Map<String, Integer> basket) {
        Order.Builder builder = Order.builder(ids.incrementAndGet()).customer(customers.get(customerId).id());
        basket.forEach(builder::line);
        Order order = builder.build();
        order.price(pricing.total(order));
        orders.save(order);
        return order;
    }

    public void payByCard(long id, String reference, LocalDate date) {
        Order order = orders.require(id);
        Authorisation authorisation = reference.isBlank() ? null : new Authorisation(reference, date.plusDays(7));
        order.pay(new Payment.Card(authorisation, order.total()), date);
    }

    public void payByGiftCard(long id, String code, LocalDate date) {
        Order order = orders.require(id);
        order.pay(new Payment.GiftCard(code, order.total()), date);
    }

    public void payByInvoice(long id, LocalDate date) {
        Order order = orders.require(id);
        order.pay(new Payment.Invoice(date.plusDays(14), order.total()), date);
    }

    public void ship(long id) {
        orders.require(id).moveTo(OrderStatus.SHIPPED);
    }

    public void cancel(long id) {
        Order order = orders.require(id);
        order.payment().ifPresent(payment -> refunds.refund(order, payment));
        order.moveTo(OrderStatus.CANCELLED);
        orders.save(order);
    }

    /** Prices all orders of the customer again that have not left the house. */
    public Money repriceOpen(String customerId) {
        return orders.all()
                .filter(order -> order.customerId().equals(customerId))
                .filter(order -> order.status().isOpen())
                .map(this::reprice)
                .reduce(Money.zero("EUR"), Money::plus);
    }

    private Money reprice(Order order) {
        try {
            order.price(pricing.total(order));
        } catch (NoSuchElementException e) {
            return order.total() == null ? Money.zero("EUR") : order.total();      // no longer on sale: as agreed when ordered
        } catch (RuntimeException e) {
            throw new OrderException("cannot price order " + order.id(), e);
        }
        return order.total();
    }
}
