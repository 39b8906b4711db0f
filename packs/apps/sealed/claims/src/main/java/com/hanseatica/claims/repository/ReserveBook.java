package com.hanseatica.claims.repository;

import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import org.springframework.stereotype.Repository;

/** What is set aside for claims that are not settled yet. */
@Repository
public class ReserveBook {

    private final Map<String, BigDecimal> reserves = new HashMap<>();

    public void set(String claim, BigDecimal amount) {
        reserves.put(claim, amount);
    }

    public BigDecimal of(String claim) {
        return reserves.getOrDefault(claim, BigDecimal.ZERO);
    }

    public void release(String claim, BigDecimal amount) {
        BigDecimal left = of(claim).subtract(amount);
        if (left.signum() < 0) {
            throw new IllegalArgumentException(
                    "reserve of " + claim + " is " + of(claim) + ", cannot release " + amount);
        }
        reserves.put(claim, left);
    }

    public BigDecimal total() {
        return reserves.values().stream().reduce(BigDecimal.ZERO, BigDecimal::add);
    }
}
