package com.hanseatica.claims.domain;

import java.math.BigDecimal;
import java.util.Map;

public sealed interface Decision {

    record Paid(BigDecimal amount, Map<String, BigDecimal> shares) implements Decision {
    }

    record Refused(String reason) implements Decision {
    }
}
