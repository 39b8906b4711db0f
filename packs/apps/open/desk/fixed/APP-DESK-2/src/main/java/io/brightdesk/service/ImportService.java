package io.brightdesk.service;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.brightdesk.domain.Priority;
import io.brightdesk.domain.Ticket;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import org.springframework.stereotype.Service;

/** Takes over tickets from the export of another desk: {"source": .., "tickets": [{"title": .., "created": .., "urgency": ..}]}. */
@Service
public class ImportService {

    private final ObjectMapper mapper;
    private final TicketService tickets;

    public ImportService(ObjectMapper mapper, TicketService tickets) {
        this.mapper = mapper;
        this.tickets = tickets;
    }

    public List<String> importAll(String json) {
        JsonNode root = parse(json);
        return importRows(root.path("source").asText("unknown"), root.path("tickets"));
    }

    private List<String> importRows(String source, JsonNode rows) {
        List<String> keys = new ArrayList<>();
        for (JsonNode row : rows) {
            keys.add(importRow(source, keys.size() + 1, row));
        }
        return keys;
    }

    private String importRow(String source, int number, JsonNode row) {
        try {
            return tickets.open(toTicket(row)).getKey();
        } catch (RuntimeException e) {
            throw new DeskException("import from " + source + " stopped at row " + number, e);
        }
    }

    private Ticket toTicket(JsonNode node) {
        Ticket ticket = new Ticket();
        ticket.setSubject(node.path("title").asText());
        ticket.setOpenedOn(LocalDate.parse(node.path("created").asText()));
        ticket.setPriority(priority(node.path("urgency")));
        return ticket;
    }

    private Priority priority(JsonNode urgency) {
        if (urgency.isInt()) {
            return Priority.values()[urgency.asInt() - 1];
        }
        for (Priority priority : Priority.values()) {
            if (urgency.isTextual() && priority.name().equalsIgnoreCase(urgency.asText())) {
                return priority;
            }
        }
        return Priority.NORMAL;
    }

    private JsonNode parse(String json) {
        try {
            return mapper.readTree(json);
        } catch (JsonProcessingException e) {
            throw new DeskException("not JSON", e);
        }
    }
}
