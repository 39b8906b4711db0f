package org.lindenhof.clinic.service;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.lindenhof.clinic.domain.Appointment;
import org.lindenhof.clinic.domain.TimeSlot;

/** Appointments of patients who would rather come earlier, in the order in which they asked. */
public class WaitingList {

    private final List<Appointment> waiting = new ArrayList<>();

    public synchronized void add(Appointment appointment) {
        waiting.add(appointment);
    }

    public synchronized void remove(Appointment appointment) {
        waiting.remove(appointment);
    }

    public synchronized Optional<Appointment> next(String practitioner, TimeSlot slot) {
        return waiting.stream()
                .filter(a -> a.practitioner().equals(practitioner))
                .filter(a -> slot.isBefore(a.slot()) && slot.fits(a.slot()))
                .findFirst();
    }
}
