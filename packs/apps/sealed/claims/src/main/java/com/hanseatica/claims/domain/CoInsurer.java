package com.hanseatica.claims.domain;

/** Another company that carries some parts of a risk. */
public record CoInsurer(String name, int parts) {
}
