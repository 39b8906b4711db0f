package com.nordwind.shop.web;

import com.nordwind.shop.service.CustomerService;

public class CustomerController {

    private final CustomerService customers;

    public CustomerController(CustomerService customers) {
        this.customers = customers;
    }

    public String register(Request request) {
        return customers.register(request.get("id"), request.get("name"), request.get("street"), request.get("zip"),
                request.get("city"), request.getOr("country", null)).id();
    }
}
