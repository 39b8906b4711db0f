package com.nordwind.shop.domain;

public record Address(String street, String zip, String city, Country country) {

    public String oneLine() {
        return street + ", " + zip + " " + city;
    }
}
