package org.lindenhof.clinic.repository;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.lindenhof.clinic.domain.Appointment;
import org.lindenhof.clinic.service.ClinicException;

public class AppointmentRepository {

    private final AtomicInteger last = new AtomicInteger();
    private final Map<Integer, Appointment> byId = new ConcurrentHashMap<>();

    public int nextId() {
        return last.incrementAndGet();
    }

    public void save(Appointment appointment) {
        byId.put(appointment.id(), appointment);
    }

    public Appointment get(int id) {
        Appointment appointment = byId.get(id);
        if (appointment == null) {
            throw new ClinicException(404, "no appointment " + id);
        }
        return appointment;
    }
}
