package org.lindenhof.clinic.service;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.lindenhof.clinic.domain.Address;
import org.lindenhof.clinic.domain.Appointment;
import org.lindenhof.clinic.domain.Practitioner;
import org.lindenhof.clinic.domain.Referral;
import org.lindenhof.clinic.repository.AppointmentRepository;
import org.lindenhof.clinic.repository.PractitionerRepository;

/** Letters to the practices that a patient is sent to. */
public class LetterService {

    private final AppointmentRepository appointments;
    private final PractitionerRepository practitioners;

    public LetterService(AppointmentRepository appointments, PractitionerRepository practitioners) {
        this.appointments = appointments;
        this.practitioners = practitioners;
    }

    public List<String> letters(int id) {
        Appointment appointment = appointments.get(id);
        return appointment.referrals().stream()
                .filter(referral -> !practitioners.get(referral.to()).isInHouse())
                .map(referral -> letter(appointment, referral))
                .collect(Collectors.toList());
    }

    private String letter(Appointment appointment, Referral referral) {
        Practitioner to = practitioners.get(referral.to());
        return header(to) + "\n\nWe refer " + appointment.patient().name() + " to you: " + referral.reason() + ".\n";
    }

    private String header(Practitioner to) {
        return to.name() + "\n" + to.practice().name() + "\n"
                + Optional.ofNullable(to.practice().address()).map(Address::oneLine).orElse("address unknown");
    }
}
