package org.lindenhof.clinic.domain;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;

public record TimeSlot(LocalDate day, LocalTime start, int minutes) {

    public static TimeSlot at(LocalDateTime start, int minutes) {
        return new TimeSlot(start.toLocalDate(), start.toLocalTime(), minutes);
    }

    public boolean isBefore(TimeSlot other) {
        return day.atTime(start).isBefore(other.day.atTime(other.start));
    }

    public boolean fits(TimeSlot other) {
        return other.minutes <= minutes;
    }

    @Override
    public String toString() {
        return day + " " + start;
    }
}
