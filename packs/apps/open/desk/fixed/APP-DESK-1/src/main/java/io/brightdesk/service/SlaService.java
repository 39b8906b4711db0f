package io.brightdesk.service;

import io.brightdesk.config.SlaSettings;
import io.brightdesk.domain.Priority;
import io.brightdesk.domain.Ticket;
import java.util.Map;
import org.springframework.stereotype.Service;

/** How many hours a ticket may stay open: the contract among the ticket's fields decides, else the settings. */
@Service
public class SlaService {

    private final SlaSettings settings;

    public SlaService(SlaSettings settings) {
        this.settings = settings;
    }

    public int hours(Ticket ticket) {
        Map<String, Object> contract = section(ticket.getFields(), "contract");
        Map<String, Object> sla = section(contract, "sla");
        int hours = sla.isEmpty() ? settings.getDefaultHours() : hoursFor(ticket.getPriority(), sla);
        return ticket.getPriority() == Priority.CRITICAL ? Math.min(hours, 8) : hours;
    }

    private int hoursFor(Priority priority, Map<String, Object> sla) {
        Object hours = sla.getOrDefault(priority.name().toLowerCase(), sla.get("default"));
        if (hours instanceof Number number) {
            return number.intValue();
        }
        return settings.getDefaultHours();
    }

    @SuppressWarnings("unchecked")
    private Map<String, Object> section(Map<String, Object> map, String name) {
        return (Map<String, Object>) map.getOrDefault(name, Map.of());
    }
}
