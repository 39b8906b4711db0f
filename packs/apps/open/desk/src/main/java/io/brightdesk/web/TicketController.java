package io.brightdesk.web;

import io.brightdesk.domain.Ticket;
import io.brightdesk.service.EscalationService;
import io.brightdesk.service.ImportService;
import io.brightdesk.service.TicketService;
import java.time.LocalDate;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/tickets")
public class TicketController {

    private final TicketService tickets;
    private final EscalationService escalations;
    private final ImportService imports;

    public TicketController(TicketService tickets, EscalationService escalations, ImportService imports) {
        this.tickets = tickets;
        this.escalations = escalations;
        this.imports = imports;
    }

    @PostMapping
    public Ticket open(@RequestBody Ticket ticket) {
        return tickets.open(ticket);
    }

    @GetMapping("/{key}")
    public Ticket get(@PathVariable("key") String key) {
        return tickets.get(key);
    }

    @PostMapping("/{key}/children/{child}")
    public void link(@PathVariable("key") String key, @PathVariable("child") String child) {
        tickets.link(key, child);
    }

    @PostMapping("/{key}/hold")
    public void hold(@PathVariable("key") String key) {
        tickets.hold(key);
    }

    @PostMapping("/{key}/close")
    public void close(@PathVariable("key") String key) {
        tickets.close(key);
    }

    @PostMapping("/{key}/escalate")
    public String escalate(@PathVariable("key") String key) {
        return escalations.escalate(key);
    }

    @GetMapping("/{key}/due")
    public LocalDate due(@PathVariable("key") String key) {
        return escalations.due(key);
    }

    @PostMapping("/import")
    public List<String> importAll(@RequestBody String json) {
        return imports.importAll(json);
    }
}
