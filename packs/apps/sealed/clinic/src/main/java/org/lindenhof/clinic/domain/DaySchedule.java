package org.lindenhof.clinic.domain;

import java.time.Duration;
import java.time.LocalTime;

/** One day of a practitioner in cells of a quarter of an hour. */
public class DaySchedule {

    public static final LocalTime OPENS = LocalTime.of(8, 0);
    public static final LocalTime CLOSES = LocalTime.of(17, 0);
    private static final int CELL = 15;

    private final int[] cells = new int[(int) Duration.between(OPENS, CLOSES).toMinutes() / CELL];

    public boolean isFree(TimeSlot slot) {
        int first = first(slot);
        for (int i = first; i < first + length(slot); i++) {
            if (cells[i] != 0) {
                return false;
            }
        }
        return true;
    }

    public void occupy(TimeSlot slot, int appointment) {
        int first = first(slot);
        for (int i = first; i < first + length(slot); i++) {
            cells[i] = appointment;
        }
    }

    public void release(TimeSlot slot) {
        occupy(slot, 0);
    }

    private static int first(TimeSlot slot) {
        return (int) Duration.between(OPENS, slot.start()).toMinutes() / CELL;
    }

    private static int length(TimeSlot slot) {
        return (slot.minutes() + CELL - 1) / CELL;
    }
}
