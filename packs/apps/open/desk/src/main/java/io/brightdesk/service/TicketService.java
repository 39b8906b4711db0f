package io.brightdesk.service;

import io.brightdesk.domain.Ticket;
import io.brightdesk.domain.TicketState;
import io.brightdesk.repository.TicketRepository;
import java.time.Clock;
import java.time.LocalDate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;

@Service
public class TicketService {

    private static final Logger LOG = LoggerFactory.getLogger(TicketService.class);

    private final TicketRepository tickets;
    private final Clock clock;

    public TicketService(TicketRepository tickets, Clock clock) {
        this.tickets = tickets;
        this.clock = clock;
    }

    public Ticket open(Ticket ticket) {
        if (ticket.getOpenedOn() == null) {
            ticket.setOpenedOn(LocalDate.now(clock));
        }
        tickets.save(ticket);
        LOG.info("{} opened: {}", ticket.getKey(), ticket.getSubject());
        return ticket;
    }

    public Ticket get(String key) {
        return tickets.findByKey(key).orElseThrow(() -> new TicketNotFoundException(key));
    }

    public void link(String parentKey, String childKey) {
        Ticket parent = get(parentKey);
        Ticket child = get(childKey);
        child.setParent(parent.getKey());
        parent.getChildren().add(child.getKey());
    }

    public void unlink(Ticket child) {
        if (child.getParent() != null) {
            get(child.getParent()).getChildren().remove(child.getKey());
            child.setParent(null);
        }
    }

    /** Closes the ticket and everything below it. */
    public void close(String key) {
        Ticket ticket = get(key);
        for (String child : ticket.getChildren()) {
            close(child);
        }
        if (ticket.getState() == TicketState.WAITING) {
            unlink(ticket);
        }
        ticket.setState(TicketState.CLOSED);
        LOG.info("{} closed", key);
    }

    public void hold(String key) {
        get(key).setState(TicketState.WAITING);
    }
}
