package com.hanseatica.claims.event;

import com.hanseatica.claims.domain.Claim;
import java.math.BigDecimal;

public record ClaimSettled(Claim claim, BigDecimal paid) {
}
