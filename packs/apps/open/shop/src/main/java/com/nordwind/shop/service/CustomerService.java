package com.nordwind.shop.service;

import com.nordwind.shop.domain.Address;
import com.nordwind.shop.domain.Customer;
import com.nordwind.shop.domain.CustomerGroup;
import com.nordwind.shop.repository.CountryTable;
import com.nordwind.shop.repository.Repository;

public class CustomerService {

    private final Repository<String, Customer> customers;
    private final CountryTable countries;

    public CustomerService(Repository<String, Customer> customers, CountryTable countries) {
        this.customers = customers;
        this.countries = countries;
    }

    public Customer register(String id, String name, String street, String zip, String city, String countryCode) {
        Customer customer = Customer.builder(id)
                .name(name)
                .email(id + "@customers.nordwind.example")
                .address(new Address(street, zip, city, countries.byCode(countryCode)))
                .group(name.endsWith("GmbH") ? CustomerGroup.BUSINESS : CustomerGroup.PRIVATE)
                .build();
        customers.save(customer);
        return customer;
    }

    public Customer get(String id) {
        return customers.require(id);
    }
}
