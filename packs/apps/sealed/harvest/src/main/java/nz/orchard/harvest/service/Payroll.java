package nz.orchard.harvest.service;

import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import nz.orchard.harvest.domain.Bin;
import nz.orchard.harvest.domain.TeamDay;

public class Payroll {

    private final BinStore store;
    private final Wages wages;

    public Payroll(BinStore store, Wages wages) {
        this.store = store;
        this.wages = wages;
    }

    /** Cents by team and picker. */
    public Map<String, Map<String, Integer>> of(LocalDate day) {
        Map<String, Map<String, Integer>> pay = new TreeMap<>();
        for (TeamDay teamDay : store.teamDays(day)) {
            pay.put(teamDay.team(), byPicker(teamDay.bins()));
        }
        return pay;
    }

    private Map<String, Integer> byPicker(List<Bin> bins) {
        return bins.stream().collect(Collectors.toMap(Bin::picker, wages::cents));
    }
}
