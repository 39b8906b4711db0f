package com.nordwind.shop.service;

import com.nordwind.shop.domain.Country;
import com.nordwind.shop.domain.Customer;
import com.nordwind.shop.domain.Order;
import com.nordwind.shop.domain.OrderStatus;
import com.nordwind.shop.repository.Repository;
import java.time.LocalDate;
import java.time.temporal.IsoFields;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

public class VatReportService {

    private final Repository<Long, Order> orders;
    private final Repository<String, Customer> customers;

    public VatReportService(Repository<Long, Order> orders, Repository<String, Customer> customers) {
        this.orders = orders;
        this.customers = customers;
    }

    /** Cents of VAT for each country of delivery, of what was shipped in the quarter. */
    public Map<String, Long> quarter(int year, int quarter) {
        return orders.all()
                .filter(order -> order.status() == OrderStatus.SHIPPED)
                .filter(order -> inQuarter(order.paidOn(), year, quarter))
                .collect(Collectors.groupingBy(this::countryOf, TreeMap::new, Collectors.summingLong(this::vat)));
    }

    private boolean inQuarter(LocalDate date, int year, int quarter) {
        return date.getYear() == year && date.get(IsoFields.QUARTER_OF_YEAR) == quarter;
    }

    private String countryOf(Order order) {
        Country country = customers.require(order.customerId()).address().country();
        return country == null ? "unknown" : country.code();
    }

    private long vat(Order order) {
        Country country = customers.require(order.customerId()).address().country();
        return country == null ? 0 : order.total().percent(country.vatPercent()).cents();
    }
}
