package io.brightdesk.service;

import io.brightdesk.domain.Team;
import io.brightdesk.domain.Ticket;
import io.brightdesk.domain.WorkCalendar;
import io.brightdesk.repository.TeamRepository;
import java.time.LocalDate;
import org.springframework.stereotype.Service;

@Service
public class DueDateService {

    private final TeamRepository teams;

    public DueDateService(TeamRepository teams) {
        this.teams = teams;
    }

    public LocalDate dueDate(Ticket ticket, int hours) {
        int days = Math.max(1, hours / 24);
        try {
            return addWorkingDays(ticket.getOpenedOn(), days, ticket.getAssignee());
        } catch (RuntimeException e) {
            throw new DeskException("cannot compute the due date of " + ticket.getKey(), e);
        }
    }

    private LocalDate addWorkingDays(LocalDate from, int days, String login) {
        WorkCalendar calendar = teams.findByMember(login).map(Team::getCalendar).orElseGet(WorkCalendar::new);
        LocalDate day = from;
        for (int left = days; left > 0; ) {
            day = day.plusDays(1);
            if (!calendar.isFree(day)) {
                left--;
            }
        }
        return day;
    }
}
