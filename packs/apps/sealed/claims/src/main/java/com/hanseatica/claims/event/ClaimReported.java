package com.hanseatica.claims.event;

import com.hanseatica.claims.domain.Claim;

public record ClaimReported(Claim claim) {
}
