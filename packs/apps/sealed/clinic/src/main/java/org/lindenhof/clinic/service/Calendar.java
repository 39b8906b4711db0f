package org.lindenhof.clinic.service;

import java.time.LocalDate;
import java.util.HashMap;
import java.util.Map;
import org.lindenhof.clinic.domain.DaySchedule;
import org.lindenhof.clinic.domain.TimeSlot;

/** Days by practitioner and date. */
public class Calendar {

    private final Map<String, Map<LocalDate, DaySchedule>> days = new HashMap<>();

    public synchronized boolean reserve(String practitioner, TimeSlot slot, int appointment) {
        DaySchedule day = day(practitioner, slot.day());
        if (!day.isFree(slot)) {
            return false;
        }
        day.occupy(slot, appointment);
        return true;
    }

    public synchronized void free(String practitioner, TimeSlot slot) {
        day(practitioner, slot.day()).release(slot);
    }

    private DaySchedule day(String practitioner, LocalDate date) {
        return days.computeIfAbsent(practitioner, p -> new HashMap<>()).computeIfAbsent(date, d -> new DaySchedule());
    }
}
