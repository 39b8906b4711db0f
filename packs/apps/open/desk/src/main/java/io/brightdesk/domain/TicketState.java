package io.brightdesk.domain;

public enum TicketState {
    OPEN, WAITING, CLOSED
}
