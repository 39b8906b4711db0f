package com.hanseatica.claims.domain;

import java.math.BigDecimal;
import java.time.LocalDate;

public sealed interface Claim {

    String id();

    String policy();

    LocalDate day();

    BigDecimal amount();

    default Peril peril() {
        return switch (this) {
            case WaterDamage w -> Peril.WATER;
            case StormDamage s when s.windForce() >= 8 -> Peril.STORM;
            case StormDamage s -> Peril.WATER;
            case Theft t -> Peril.THEFT;
        };
    }

    record WaterDamage(String id, String policy, LocalDate day, BigDecimal amount) implements Claim {
    }

    record StormDamage(String id, String policy, LocalDate day, BigDecimal amount, int windForce) implements Claim {
    }

    record Theft(String id, String policy, LocalDate day, BigDecimal amount, String reportedTo) implements Claim {
    }
}
