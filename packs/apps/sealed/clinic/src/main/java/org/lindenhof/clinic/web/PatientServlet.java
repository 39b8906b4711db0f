package org.lindenhof.clinic.web;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.stream.Collectors;
import org.lindenhof.clinic.service.PatientImport;

public class PatientServlet extends HttpServlet {

    private final transient PatientImport patientImport;

    public PatientServlet(PatientImport patientImport) {
        this.patientImport = patientImport;
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String body = request.getReader().lines().collect(Collectors.joining("\n"));
        int n = patientImport.importBatch(body);
        response.getWriter().println(n + " patients");
    }
}
