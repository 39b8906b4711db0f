package io.brightdesk.service;

public class TicketNotFoundException extends RuntimeException {

    public TicketNotFoundException(String key) {
        super("no ticket " + key);
    }
}
