package io.brightdesk.config;

import java.time.Clock;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
public class DeskConfiguration {

    @Bean
    public Clock clock() {
        return Clock.systemUTC();
    }
}
