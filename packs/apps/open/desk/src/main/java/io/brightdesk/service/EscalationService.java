package io.brightdesk.service;

import io.brightdesk.domain.Ticket;
import java.time.LocalDate;
import org.springframework.stereotype.Service;

@Service
public class EscalationService {

    private final TicketService tickets;
    private final SlaService sla;
    private final DueDateService dueDates;

    public EscalationService(TicketService tickets, SlaService sla, DueDateService dueDates) {
        this.tickets = tickets;
        this.sla = sla;
        this.dueDates = dueDates;
    }

    public String escalate(String key) {
        Ticket ticket = tickets.get(key);
        ticket.setPriority(ticket.getPriority().raised());
        int hours = sla.hours(ticket);
        return key + " is " + ticket.getPriority() + " now, " + hours + " hours left";
    }

    public LocalDate due(String key) {
        Ticket ticket = tickets.get(key);
        return dueDates.dueDate(ticket, sla.hours(ticket));
    }
}
