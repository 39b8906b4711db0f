package com.nordwind.shop.web;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

public record Request(String path, Map<String, String> parameters) {

    public static Request parse(String path, String form) {
        Map<String, String> parameters = new HashMap<>();
        for (String pair : form.split("&")) {
            int eq = pair.indexOf('=');
            if (eq > 0) {
                parameters.put(pair.substring(0, eq), URLDecoder.decode(pair.substring(eq + 1), StandardCharsets.UTF_8));
            }
        }
        return new Request(path, parameters);
    }

    public String get(String name) {
        String value = parameters.get(name);
        if (value == null) {
            throw new BadRequestException("parameter " + name + " is missing");
        }
        return value;
    }

    public String getOr(String name, String otherwise) {
        return parameters.getOrDefault(name, otherwise);
    }

    public long id() {
        return Long.parseLong(get("id"));
    }
}
