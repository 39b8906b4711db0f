package com.hanseatica.claims.service;

import com.hanseatica.claims.domain.Claim;
import com.hanseatica.claims.domain.Decision;
import com.hanseatica.claims.domain.Policy;
import com.hanseatica.claims.event.ClaimSettled;
import com.hanseatica.claims.repository.ClaimRepository;
import com.hanseatica.claims.repository.PolicyRepository;
import java.math.BigDecimal;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Service;

@Service
public class SettlementService {

    private final PolicyRepository policies;
    private final ClaimRepository claims;
    private final CoverageService coverage;
    private final CoInsuranceService coInsurance;
    private final ApplicationEventPublisher events;

    public SettlementService(PolicyRepository policies, ClaimRepository claims, CoverageService coverage,
            CoInsuranceService coInsurance, ApplicationEventPublisher events) {
        this.policies = policies;
        this.claims = claims;
        this.coverage = coverage;
        this.coInsurance = coInsurance;
        this.events = events;
    }

    public Decision settle(String id) {
        Claim claim = claims.find(id).orElseThrow(() -> new UnknownClaimException(id));
        return policies.inForce(claim.policy(), claim.day())
                .map(policy -> pay(policy, claim))
                .orElseGet(() -> new Decision.Refused("no policy in force on " + claim.day()));
    }

    private Decision pay(Policy policy, Claim claim) {
        BigDecimal amount = coverage.payable(policy, claim);
        if (amount.signum() == 0) {
            return new Decision.Refused("below the deductible");
        }
        Decision.Paid paid = new Decision.Paid(amount, coInsurance.shares(policy, amount));
        events.publishEvent(new ClaimSettled(claim, amount));
        return paid;
    }
}
