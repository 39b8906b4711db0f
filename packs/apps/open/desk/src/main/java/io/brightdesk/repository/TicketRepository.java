package io.brightdesk.repository;

import io.brightdesk.domain.Ticket;
import java.util.Collection;
import java.util.Optional;

public interface TicketRepository {

    Optional<Ticket> findByKey(String key);

    Ticket save(Ticket ticket);

    Collection<Ticket> findAll();
}
