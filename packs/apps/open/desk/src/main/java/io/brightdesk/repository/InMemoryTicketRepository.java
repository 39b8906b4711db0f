package io.brightdesk.repository;

import io.brightdesk.domain.Ticket;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.springframework.stereotype.Repository;

@Repository
public class InMemoryTicketRepository implements TicketRepository {

    private final Map<String, Ticket> tickets = new TreeMap<>();
    private int last = 0;

    @Override
    public synchronized Optional<Ticket> findByKey(String key) {
        return Optional.ofNullable(tickets.get(key));
    }

    @Override
    public synchronized Ticket save(Ticket ticket) {
        if (ticket.getKey() == null) {
            ticket.setKey("DSK-" + ++last);
        }
        tickets.put(ticket.getKey(), ticket);
        return ticket;
    }

    @Override
    public synchronized Collection<Ticket> findAll() {
        return List.copyOf(tickets.values());
    }
}
