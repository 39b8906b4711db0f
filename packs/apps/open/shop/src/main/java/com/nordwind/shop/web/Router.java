package com.nordwind.shop.web;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

public class Router implements HttpHandler {

    private static final Logger LOG = LoggerFactory.getLogger(Router.class);

    private final Map<String, Function<Request, String>> routes = new HashMap<>();

    public Router on(String path, Function<Request, String> action) {
        routes.put(path, action);
        return this;
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        int status = 200;
        String text;
        String path = exchange.getRequestURI().getPath();
        try {
            String form = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            Function<Request, String> action = routes.get(path);
            if (action == null) {
                throw new BadRequestException("no such page: " + path);
            }
            text = action.apply(Request.parse(path, form));
            LOG.info("{} {} -> {}", exchange.getRequestMethod(), path, text.lines().findFirst().orElse(""));
        } catch (BadRequestException e) {
            LOG.warn("{}: {}", path, e.getMessage());
            status = 400;
            text = e.getMessage();
        } catch (RuntimeException e) {
            LOG.error("request {} failed", path, e);
            status = 500;
            text = "internal error";
        }
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }
}
