package nz.orchard.harvest.domain;

import java.time.LocalDate;
import java.util.List;

/** What a team picked in a day. */
public record TeamDay(String team, LocalDate day, List<Bin> bins) {

    public int kg() {
        return bins.stream().mapToInt(Bin::kg).sum();
    }

    public int minutes() {
        return bins.stream().mapToInt(Bin::minutes).sum();
    }

    public int kgPerHour() {
        return kg() * 60 / Math.max(1, minutes());
    }
}
