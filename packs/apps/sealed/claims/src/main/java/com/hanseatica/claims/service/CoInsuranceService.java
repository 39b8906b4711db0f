package com.hanseatica.claims.service;

import com.hanseatica.claims.domain.CoInsurer;
import com.hanseatica.claims.domain.Policy;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.springframework.stereotype.Service;

@Service
public class CoInsuranceService {

    private static final int OUR_PARTS = 4;

    /** What each of the other companies owes us. */
    public Map<String, BigDecimal> shares(Policy policy, BigDecimal amount) {
        int parts = OUR_PARTS + policy.coInsurers().stream().mapToInt(CoInsurer::parts).sum();
        return policy.coInsurers().stream().collect(Collectors.toMap(
                CoInsurer::name,
                other -> share(amount, other.parts(), parts),
                BigDecimal::add,
                LinkedHashMap::new));
    }

    private static BigDecimal share(BigDecimal amount, int parts, int all) {
        return amount.multiply(BigDecimal.valueOf(parts)).divide(BigDecimal.valueOf(all));
    }
}
