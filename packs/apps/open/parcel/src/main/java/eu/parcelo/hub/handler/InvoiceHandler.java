package eu.parcelo.hub.handler;

import eu.parcelo.hub.message.Message;
import eu.parcelo.hub.service.InvoiceService;

public class InvoiceHandler implements Handler {

    private final InvoiceService invoices;

    public InvoiceHandler(InvoiceService invoices) {
        this.invoices = invoices;
    }

    @Override
    public void handle(Message message) {
        invoices.invoice(message.id());
    }
}
