package io.brightdesk.config;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

@Component
public class SlaSettings {

    private final int defaultHours;

    public SlaSettings(@Value("${brightdesk.default-sla-hours}") int defaultHours) {
        this.defaultHours = defaultHours;
    }

    public int getDefaultHours() {
        return defaultHours;
    }
}
