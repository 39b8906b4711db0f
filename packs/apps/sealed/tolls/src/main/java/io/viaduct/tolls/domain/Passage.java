package io.viaduct.tolls.domain;

import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;

public record Passage(Tag tag, Gantry gantry, Instant at, int cents) {

    public YearMonth month() {
        return YearMonth.from(at.atZone(ZoneOffset.UTC));
    }
}
