package nz.orchard.harvest.service;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import nz.orchard.harvest.domain.Bin;
import nz.orchard.harvest.domain.TeamDay;

/** Bins by day and team. */
public class BinStore {

    private final Map<LocalDate, Map<String, List<Bin>>> days = new TreeMap<>();

    public void addAll(Collection<Bin> bins) {
        for (Bin bin : bins) {
            days.computeIfAbsent(bin.day(), d -> new TreeMap<>())
                    .computeIfAbsent(bin.team(), t -> new ArrayList<>())
                    .add(bin);
        }
    }

    public List<TeamDay> teamDays(LocalDate day) {
        return days.getOrDefault(day, Map.of()).entrySet().stream()
                .map(team -> new TeamDay(team.getKey(), day, team.getValue()))
                .toList();
    }

    public List<LocalDate> days() {
        return List.copyOf(days.keySet());
    }
}
