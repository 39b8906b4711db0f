package com.hanseatica.claims.repository;

import com.hanseatica.claims.domain.Policy;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.stereotype.Repository;

/** Every version of every policy. */
@Repository
public class PolicyRepository {

    private final Map<String, List<Policy>> versions = new HashMap<>();

    public void save(Policy policy) {
        versions.computeIfAbsent(policy.number(), n -> new ArrayList<>()).add(policy);
    }

    public Optional<Policy> inForce(String number, LocalDate day) {
        return versions.getOrDefault(number, List.of()).stream()
                .filter(policy -> policy.isInForce(day))
                .reduce((earlier, later) -> later);
    }
}
