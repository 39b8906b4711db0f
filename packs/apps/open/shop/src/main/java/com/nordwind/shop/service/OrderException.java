package com.nordwind.shop.service;

public class OrderException extends RuntimeException {

    public OrderException(String message, Throwable cause) {
        super(message, cause);
    }
}
