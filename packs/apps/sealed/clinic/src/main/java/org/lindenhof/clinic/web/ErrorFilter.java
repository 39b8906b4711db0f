package org.lindenhof.clinic.web;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.lindenhof.clinic.service.ClinicException;

public class ErrorFilter extends HttpFilter {

    private static final Logger LOG = Logger.getLogger(ErrorFilter.class.getName());

    @Override
    protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        try {
            chain.doFilter(request, response);
        } catch (ClinicException e) {
            response.sendError(e.status(), e.getMessage());
        } catch (RuntimeException e) {
            LOG.log(Level.SEVERE, request.getMethod() + " " + request.getServletPath() + " failed", e);
            response.sendError(500);
        }
    }
}
