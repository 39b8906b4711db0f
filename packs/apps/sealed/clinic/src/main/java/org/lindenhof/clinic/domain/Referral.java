package org.lindenhof.clinic.domain;

public record Referral(String to, String reason) {
}
