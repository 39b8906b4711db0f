package com.hanseatica.claims.service;

public class UnknownClaimException extends RuntimeException {

    public UnknownClaimException(String id) {
        super("no claim " + id);
    }
}
