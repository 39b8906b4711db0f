package org.lindenhof.clinic.web;

import com.fasterxml.jackson.databind.ObjectMapper;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.lindenhof.clinic.domain.Practitioner;
import org.lindenhof.clinic.repository.PractitionerRepository;

public class PractitionerServlet extends HttpServlet {

    private final transient PractitionerRepository practitioners;
    private final transient ObjectMapper mapper;

    public PractitionerServlet(PractitionerRepository practitioners, ObjectMapper mapper) {
        this.practitioners = practitioners;
        this.mapper = mapper;
    }

    @Override
    protected void doPut(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Practitioner practitioner = mapper.readValue(request.getReader(), Practitioner.class);
        practitioners.save(practitioner);
        response.setStatus(HttpServletResponse.SC_NO_CONTENT);
    }
}
