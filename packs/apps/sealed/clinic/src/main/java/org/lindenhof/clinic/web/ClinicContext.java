package org.lindenhof.clinic.web;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.annotation.WebListener;
import java.util.EnumSet;
import java.util.logging.Logger;
import org.lindenhof.clinic.repository.AppointmentRepository;
import org.lindenhof.clinic.repository.PatientRepository;
import org.lindenhof.clinic.repository.PractitionerRepository;
import org.lindenhof.clinic.repository.TreatmentCatalog;
import org.lindenhof.clinic.service.AppointmentService;
import org.lindenhof.clinic.service.BillingService;
import org.lindenhof.clinic.service.Calendar;
import org.lindenhof.clinic.service.LetterService;
import org.lindenhof.clinic.service.PatientImport;
import org.lindenhof.clinic.service.WaitingList;

/** Puts the application together. */
@WebListener
public class ClinicContext implements ServletContextListener {

    private static final Logger LOG = Logger.getLogger(ClinicContext.class.getName());

    @Override
    public void contextInitialized(ServletContextEvent event) {
        PatientRepository patients = new PatientRepository();
        PractitionerRepository practitioners = new PractitionerRepository();
        AppointmentRepository appointments = new AppointmentRepository();
        TreatmentCatalog catalog = TreatmentCatalog.standard();
        ObjectMapper mapper = new ObjectMapper().registerModule(new JavaTimeModule());
        AppointmentService service = new AppointmentService(
                patients, practitioners, appointments, catalog, new Calendar(), new WaitingList());

        ServletContext context = event.getServletContext();
        context.addServlet("patients", new PatientServlet(new PatientImport(patients, mapper)))
                .addMapping("/patients");
        context.addServlet("practitioners", new PractitionerServlet(practitioners, mapper))
                .addMapping("/practitioners");
        context.addServlet("appointments", new AppointmentServlet(service)).addMapping("/appointments");
        context.addServlet("letters", new LetterServlet(new LetterService(appointments, practitioners)))
                .addMapping("/letters");
        context.addServlet("bills", new BillingServlet(new BillingService(appointments))).addMapping("/bills");
        context.addFilter("errors", new ErrorFilter())
                .addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), false, "/*");
        LOG.info("clinic is ready at " + context.getContextPath());
    }
}
