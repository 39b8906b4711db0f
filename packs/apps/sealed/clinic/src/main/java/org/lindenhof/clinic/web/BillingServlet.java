package org.lindenhof.clinic.web;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.lindenhof.clinic.service.BillingService;

public class BillingServlet extends HttpServlet {

    private final transient BillingService billing;

    public BillingServlet(BillingService billing) {
        this.billing = billing;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        int id = Integer.parseInt(request.getParameter("appointment"));
        response.getWriter().println(billing.payer(id) + " pays " + billing.amount(id));
    }
}
