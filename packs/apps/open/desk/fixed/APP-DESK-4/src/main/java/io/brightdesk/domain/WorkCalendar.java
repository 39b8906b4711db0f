package io.brightdesk.domain;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;

/** Days on which a team does not work: weekends, and what it has entered as holidays. */
public class WorkCalendar {

    private boolean weekendsOff = true;
    private List<String> holidays = new ArrayList<>();

    public boolean isWeekendsOff() {
        return weekendsOff;
    }

    public void setWeekendsOff(boolean weekendsOff) {
        this.weekendsOff = weekendsOff;
    }

    public List<String> getHolidays() {
        return holidays;
    }

    public void setHolidays(List<String> holidays) {
        this.holidays = holidays;
    }

    public boolean isFree(LocalDate day) {
        if (weekendsOff && (day.getDayOfWeek() == DayOfWeek.SATURDAY || day.getDayOfWeek() == DayOfWeek.SUNDAY)) {
            return true;
        }
        return holidays.contains(day.toString());
    }
}
