package io.brightdesk.service;

public class DeskException extends RuntimeException {

    public DeskException(String message, Throwable cause) {
        super(message, cause);
    }
}
