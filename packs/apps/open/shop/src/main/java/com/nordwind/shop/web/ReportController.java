package com.nordwind.shop.web;

import com.nordwind.shop.service.StatementService;
import com.nordwind.shop.service.VatReportService;

public class ReportController {

    private final VatReportService vat;
    private final StatementService statements;

    public ReportController(VatReportService vat, StatementService statements) {
        this.vat = vat;
        this.statements = statements;
    }

    public String vat(Request request) {
        int year = Integer.parseInt(request.get("year"));
        int quarter = Integer.parseInt(request.get("quarter"));
        StringBuilder text = new StringBuilder();
        vat.quarter(year, quarter).forEach((country, cents) -> text.append(country).append(' ').append(cents).append('\n'));
        return text.toString();
    }

    public String statement(Request request) {
        return String.join("\n", statements.forCustomer(request.get("customer")));
    }
}
