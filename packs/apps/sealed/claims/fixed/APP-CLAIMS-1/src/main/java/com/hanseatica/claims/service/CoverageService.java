package com.hanseatica.claims.service;

import com.hanseatica.claims.domain.Claim;
import com.hanseatica.claims.domain.Cover;
import com.hanseatica.claims.domain.Peril;
import com.hanseatica.claims.domain.Policy;
import com.hanseatica.claims.repository.LimitTable;
import java.math.BigDecimal;
import java.util.Optional;
import org.springframework.stereotype.Service;

@Service
public class CoverageService {

    private final LimitTable limits;

    public CoverageService(LimitTable limits) {
        this.limits = limits;
    }

    /** What the policy pays for the claim: not more than the sum insured and the limit, less the deductible. */
    public BigDecimal payable(Policy policy, Claim claim) {
        return coverFor(policy, claim.peril()).map(cover -> payable(policy, claim, cover)).orElse(BigDecimal.ZERO);
    }

    private BigDecimal payable(Policy policy, Claim claim, Cover cover) {
        BigDecimal amount = claim.amount().min(cover.sum());
        return capped(policy, claim.peril(), amount).subtract(cover.deductible()).max(BigDecimal.ZERO);
    }

    private Optional<Cover> coverFor(Policy policy, Peril peril) {
        return policy.covers().stream()
                .filter(cover -> cover.peril() == peril)
                .findFirst();
    }

    private BigDecimal capped(Policy policy, Peril peril, BigDecimal amount) {
        return limits.isLimited(peril) ? amount.min(limits.limit(policy.region(), peril)) : amount;
    }
}
