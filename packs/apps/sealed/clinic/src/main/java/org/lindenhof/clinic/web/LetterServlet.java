package org.lindenhof.clinic.web;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.lindenhof.clinic.service.LetterService;

public class LetterServlet extends HttpServlet {

    private final transient LetterService letters;

    public LetterServlet(LetterService letters) {
        this.letters = letters;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setContentType("text/plain");
        for (String letter : letters.letters(Integer.parseInt(request.getParameter("appointment")))) {
            response.getWriter().println(letter);
        }
    }
}
