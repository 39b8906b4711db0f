package com.hanseatica.claims.domain;

import java.math.BigDecimal;

public record Cover(Peril peril, BigDecimal sum, BigDecimal deductible) {
}
