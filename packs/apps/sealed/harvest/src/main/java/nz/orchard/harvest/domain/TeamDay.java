package nz.orchard.harvest.domain;

import java.time.LocalDate;
import java.util.List;

/** What a team picked in a day. */
public record TeamDay(String team, LocalDate day, List<Bin> bins) {

    public int kg() {
        return bins.stream().mapToInt(Bin::kg).sum();
    }

    public int hours() {
        return bins.stream().mapToInt(Bin::minutes).sum() / 60;
    }

    public int kgPerHour() {
        return kg() / hours();
    }
}
