package nz.orchard.harvest.service;

import java.time.LocalDate;
import java.util.Comparator;
import java.util.List;
import nz.orchard.harvest.domain.TeamDay;

/** The fastest team comes first. */
public class Ranking {

    private final BinStore store;

    public Ranking(BinStore store) {
        this.store = store;
    }

    public List<String> of(LocalDate day) {
        return fastestFirst(store.teamDays(day)).stream()
                .map(teamDay -> teamDay.team() + " " + teamDay.kg() + " kg")
                .toList();
    }

    private static List<TeamDay> fastestFirst(List<TeamDay> teams) {
        return teams.stream()
                .sorted(Comparator.comparingInt(TeamDay::kgPerHour).reversed())
                .toList();
    }
}
