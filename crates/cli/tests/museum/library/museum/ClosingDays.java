package museum;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;

public class ClosingDays {
    private boolean mondays = true;
    private List<String> others = new ArrayList<>();

    public boolean isMondays() {
        return mondays;
    }

    public void setMondays(boolean mondays) {
        this.mondays = mondays;
    }

    public List<String> getOthers() {
        return others;
    }

    public void setOthers(List<String> others) {
        this.others = others;
    }

    public boolean isClosed(LocalDate day) {
        for (String other : others) {
            if (LocalDate.parse(other).equals(day)) {
                return true;
            }
        }
        return mondays && day.getDayOfWeek().getValue() == 1;
    }
}
