package com.nordwind.shop.web;

import com.nordwind.shop.domain.Customer;
import com.nordwind.shop.domain.Money;
import com.nordwind.shop.domain.Order;
import com.nordwind.shop.domain.Product;
import com.nordwind.shop.repository.CountryTable;
import com.nordwind.shop.repository.InMemoryRepository;
import com.nordwind.shop.repository.Repository;
import com.nordwind.shop.service.CatalogService;
import com.nordwind.shop.service.CustomerService;
import com.nordwind.shop.service.OrderService;
import com.nordwind.shop.service.PaymentFormatter;
import com.nordwind.shop.service.PricingService;
import com.nordwind.shop.service.RefundService;
import com.nordwind.shop.service.StatementService;
import com.nordwind.shop.service.VatReportService;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

public final class ShopServer {

    private static final Logger LOG = LoggerFactory.getLogger(ShopServer.class);

    private ShopServer() {
    }

    public static void main(String[] args) throws IOException {
        int port = args.length > 0 ? Integer.parseInt(args[0]) : 8080;
        HttpServer server = HttpServer.create(new InetSocketAddress("localhost", port), 0);
        server.createContext("/", router());
        server.setExecutor(Executors.newFixedThreadPool(4));
        server.start();
        LOG.info("shop is open on port {}", port);
    }

    private static Router router() {
        Repository<String, Customer> customers = new InMemoryRepository<>(Customer::id);
        Repository<String, Product> products = new InMemoryRepository<>(Product::sku);
        Repository<Long, Order> orders = new InMemoryRepository<>(Order::id);

        CustomerService customerService = new CustomerService(customers, new CountryTable());
        CatalogService catalog = new CatalogService(products);
        catalog.add("TEA-100", "Assam, 100 g", Money.of(6, 90, "EUR"));
        catalog.add("TEA-250", "Assam, 250 g", Money.of(14, 50, "EUR"));
        catalog.add("POT-1", "Tea pot, 1 l", Money.of(34, 0, "EUR"));
        PricingService pricing = new PricingService(catalog, customers);
        OrderService orderService = new OrderService(orders, customerService, pricing, new RefundService());

        CustomerController customerController = new CustomerController(customerService);
        OrderController orderController = new OrderController(orderService, catalog);
        ReportController reportController = new ReportController(new VatReportService(orders, customers),
                new StatementService(orders, new PaymentFormatter()));
        return new Router()
                .on("/customers/register", customerController::register)
                .on("/orders/place", orderController::place)
                .on("/orders/pay", orderController::pay)
                .on("/orders/ship", orderController::ship)
                .on("/orders/cancel", orderController::cancel)
                .on("/orders/reprice", orderController::reprice)
                .on("/catalog/discontinue", orderController::discontinue)
                .on("/reports/vat", reportController::vat)
                .on("/reports/statement", reportController::statement);
    }
}
