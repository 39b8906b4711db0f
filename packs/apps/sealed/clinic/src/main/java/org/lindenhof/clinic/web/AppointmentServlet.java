package org.lindenhof.clinic.web;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.LocalDateTime;
import org.lindenhof.clinic.domain.Appointment;
import org.lindenhof.clinic.service.AppointmentService;
import org.lindenhof.clinic.service.ClinicException;

public class AppointmentServlet extends HttpServlet {

    private final transient AppointmentService service;

    public AppointmentServlet(AppointmentService service) {
        this.service = service;
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Appointment appointment = service.book(
                request.getParameter("patient"),
                request.getParameter("with"),
                request.getParameter("treatment"),
                LocalDateTime.parse(request.getParameter("start")));
        response.setStatus(HttpServletResponse.SC_CREATED);
        response.getWriter().println(appointment.id());
    }

    @Override
    protected void doPut(HttpServletRequest request, HttpServletResponse response) {
        int id = id(request);
        switch (request.getParameter("action")) {
            case "wait" -> service.wantsEarlier(id);
            case "check-in" -> service.checkIn(id);
            case "refer" -> service.refer(id, request.getParameter("to"), request.getParameter("reason"));
            default -> throw new ClinicException(400, "unknown action");
        }
        response.setStatus(HttpServletResponse.SC_NO_CONTENT);
    }

    @Override
    protected void doDelete(HttpServletRequest request, HttpServletResponse response) {
        service.cancel(id(request));
        response.setStatus(HttpServletResponse.SC_NO_CONTENT);
    }

    private static int id(HttpServletRequest request) {
        String id = request.getParameter("id");
        if (id == null) {
            throw new ClinicException(400, "id is missing");
        }
        return Integer.parseInt(id);
    }
}
