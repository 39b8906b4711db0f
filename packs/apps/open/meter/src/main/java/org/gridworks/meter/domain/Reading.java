package org.gridworks.meter.domain;

import java.time.LocalDateTime;

public record Reading(String meter, LocalDateTime at, double kwh) {
}
