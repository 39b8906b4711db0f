package io.viaduct.tolls.domain;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;

/** A bridge over the road that reads tags. */
public record Gantry(String road, int number, ZoneId zone, int cents) {

    private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("dd.MM.uuuu HH:mm[:ss]");

    public String id() {
        return road + "-" + number;
    }

    /** Gantries send the time of their own clock. */
    public Instant instant(String clock) {
        return LocalDateTime.parse(clock, CLOCK).atZone(zone).toInstant();
    }
}
