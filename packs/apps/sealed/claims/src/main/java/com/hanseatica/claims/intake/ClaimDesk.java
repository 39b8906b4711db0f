package com.hanseatica.claims.intake;

import com.hanseatica.claims.domain.Claim;
import com.hanseatica.claims.domain.Decision;
import com.hanseatica.claims.domain.Peril;
import com.hanseatica.claims.domain.Policy;
import com.hanseatica.claims.domain.Region;
import com.hanseatica.claims.event.ClaimReported;
import com.hanseatica.claims.repository.ClaimRepository;
import com.hanseatica.claims.repository.LimitTable;
import com.hanseatica.claims.repository.PolicyRepository;
import com.hanseatica.claims.service.SettlementService;
import java.math.BigDecimal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Component;

@Component
public class ClaimDesk {

    private static final Logger LOG = LoggerFactory.getLogger(ClaimDesk.class);

    private final LineReader reader;
    private final PolicyRepository policies;
    private final ClaimRepository claims;
    private final LimitTable limits;
    private final SettlementService settlement;
    private final ApplicationEventPublisher events;

    public ClaimDesk(LineReader reader, PolicyRepository policies, ClaimRepository claims, LimitTable limits,
            SettlementService settlement, ApplicationEventPublisher events) {
        this.reader = reader;
        this.policies = policies;
        this.claims = claims;
        this.limits = limits;
        this.settlement = settlement;
        this.events = events;
    }

    public void handle(String line) {
        String[] words = line.trim().split("\\s+");
        switch (words[0]) {
            case "policy" -> policy(words);
            case "limit" -> limits.set(
                    Region.valueOf(words[1]), Peril.valueOf(words[2]), new BigDecimal(words[3]));
            case "claim" -> report(words);
            case "settle" -> settle(words[1]);
            default -> LOG.warn("skipped: {}", line);
        }
    }

    private void policy(String[] words) {
        Policy policy = reader.policy(words);
        policies.save(policy);
        LOG.info("policy {} in {}", policy.number(), policy.region());
    }

    private void report(String[] words) {
        Claim claim = reader.claim(words);
        claims.save(claim);
        events.publishEvent(new ClaimReported(claim));
    }

    private void settle(String id) {
        switch (settlement.settle(id)) {
            case Decision.Paid paid -> LOG.info("{} paid {}, shares {}", id, paid.amount(), paid.shares());
            case Decision.Refused refused -> LOG.info("{} refused: {}", id, refused.reason());
        }
    }
}
