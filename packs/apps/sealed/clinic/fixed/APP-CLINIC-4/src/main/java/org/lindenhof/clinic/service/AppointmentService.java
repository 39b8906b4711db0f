package org.lindenhof.clinic.service;

import java.time.LocalDateTime;
import java.util.logging.Logger;
import org.lindenhof.clinic.domain.Appointment;
import org.lindenhof.clinic.domain.DaySchedule;
import org.lindenhof.clinic.domain.Patient;
import org.lindenhof.clinic.domain.Practitioner;
import org.lindenhof.clinic.domain.Referral;
import org.lindenhof.clinic.domain.TimeSlot;
import org.lindenhof.clinic.domain.Treatment;
import org.lindenhof.clinic.repository.AppointmentRepository;
import org.lindenhof.clinic.repository.PatientRepository;
import org.lindenhof.clinic.repository.PractitionerRepository;
import org.lindenhof.clinic.repository.TreatmentCatalog;

public class AppointmentService {

    private static final Logger LOG = Logger.getLogger(AppointmentService.class.getName());

    private final PatientRepository patients;
    private final PractitionerRepository practitioners;
    private final AppointmentRepository appointments;
    private final TreatmentCatalog catalog;
    private final Calendar calendar;
    private final WaitingList waitingList;

    public AppointmentService(PatientRepository patients, PractitionerRepository practitioners,
            AppointmentRepository appointments, TreatmentCatalog catalog, Calendar calendar, WaitingList waitingList) {
        this.patients = patients;
        this.practitioners = practitioners;
        this.appointments = appointments;
        this.catalog = catalog;
        this.calendar = calendar;
        this.waitingList = waitingList;
    }

    public Appointment book(String patientId, String practitionerId, String code, LocalDateTime start) {
        Patient patient = patients.find(patientId)
                .orElseThrow(() -> new ClinicException(404, "no patient " + patientId));
        Treatment treatment = catalog.find(code)
                .orElseThrow(() -> new ClinicException(404, "no treatment " + code));
        Practitioner practitioner = practitioners.get(practitionerId);
        if (!practitioner.isInHouse() || !practitioner.treats(treatment.chapter())) {
            throw new ClinicException(409, practitioner.name() + " does not do " + treatment.title() + " here");
        }
        if (start.toLocalTime().isBefore(DaySchedule.OPENS) || !start.toLocalTime().isBefore(DaySchedule.CLOSES)) {
            throw new ClinicException(409, "closed at " + start.toLocalTime());
        }
        TimeSlot slot = TimeSlot.at(start, treatment.minutes());
        if (start.toLocalTime().plusMinutes(slot.minutes()).isAfter(DaySchedule.CLOSES)) {
            throw new ClinicException(409, treatment.title() + " takes too long at " + start.toLocalTime());
        }
        int id = appointments.nextId();
        if (!calendar.reserve(practitionerId, slot, id)) {
            throw new ClinicException(409, slot + " is taken");
        }
        Appointment appointment = new Appointment(id, patient, practitionerId, treatment, slot);
        appointments.save(appointment);
        LOG.info("appointment " + id + ": " + patient.name() + " with " + practitioner.name() + ", " + slot);
        return appointment;
    }

    public void wantsEarlier(int id) {
        waitingList.add(appointments.get(id));
    }

    public void checkIn(int id) {
        appointments.get(id).checkIn();
        LOG.info("appointment " + id + " checked in");
    }

    public void refer(int id, String to, String reason) {
        appointments.get(id).refer(new Referral(to, reason));
    }

    /** Whoever waits for an earlier time gets what becomes free. */
    public void cancel(int id) {
        Appointment appointment = appointments.get(id);
        appointment.cancel();
        LOG.info("appointment " + id + " cancelled");
        TimeSlot free = appointment.slot();
        calendar.free(appointment.practitioner(), free);
        waitingList.next(appointment.practitioner(), free).ifPresent(waiting -> move(waiting, free));
    }

    private void move(Appointment appointment, TimeSlot free) {
        TimeSlot before = appointment.slot();
        appointment.moveTo(new TimeSlot(free.day(), free.start(), before.minutes()));
        calendar.free(appointment.practitioner(), before);
        calendar.reserve(appointment.practitioner(), appointment.slot(), appointment.id());
        waitingList.remove(appointment);
        LOG.info("appointment " + appointment.id() + " moved to " + appointment.slot());
    }
}
