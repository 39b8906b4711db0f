package org.lindenhof.clinic.domain;

public record Address(String street, String zip, String city) {

    public String oneLine() {
        return street + ", " + zip + " " + city;
    }
}
