package org.lindenhof.clinic.service;

import java.math.BigDecimal;
import java.math.RoundingMode;
import org.lindenhof.clinic.domain.Appointment;
import org.lindenhof.clinic.domain.Insurance;
import org.lindenhof.clinic.repository.AppointmentRepository;

public class BillingService {

    private static final BigDecimal POINT = new BigDecimal("0.0582873");

    private final AppointmentRepository appointments;

    public BillingService(AppointmentRepository appointments) {
        this.appointments = appointments;
    }

    public BigDecimal amount(int id) {
        Appointment appointment = appointments.get(id);
        Insurance insurance = appointment.patient().insurance();
        return POINT.multiply(BigDecimal.valueOf(appointment.treatment().points()))
                .multiply(BigDecimal.valueOf(insurance.factor()))
                .setScale(2, RoundingMode.HALF_UP);
    }

    public String payer(int id) {
        Insurance insurance = appointments.get(id).patient().insurance();
        if (insurance instanceof Insurance.Statutory statutory) {
            return statutory.fund();
        } else if (insurance instanceof Insurance.Private p) {
            return p.company();
        }
        return appointments.get(id).patient().name();
    }
}
