package org.lindenhof.clinic.domain;

public record Practice(String name, Address address) {
}
