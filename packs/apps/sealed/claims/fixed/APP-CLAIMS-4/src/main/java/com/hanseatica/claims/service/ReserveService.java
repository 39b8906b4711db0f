package com.hanseatica.claims.service;

import com.hanseatica.claims.domain.Claim;
import com.hanseatica.claims.event.ClaimReported;
import com.hanseatica.claims.event.ClaimSettled;
import com.hanseatica.claims.repository.ReserveBook;
import java.math.BigDecimal;
import java.math.RoundingMode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Service;

@Service
public class ReserveService {

    private static final Logger LOG = LoggerFactory.getLogger(ReserveService.class);
    private static final BigDecimal THEFT_RATE = new BigDecimal("0.6");

    private final ReserveBook book;

    public ReserveService(ReserveBook book) {
        this.book = book;
    }

    @EventListener
    public void onReported(ClaimReported event) {
        BigDecimal reserve = estimate(event.claim());
        book.set(event.claim().id(), reserve);
        LOG.info("reserve of {} is {}", event.claim().id(), reserve);
    }

    @EventListener
    public void onSettled(ClaimSettled event) {
        String id = event.claim().id();
        book.release(id, event.paid().min(book.of(id)));
        book.set(id, BigDecimal.ZERO);
        LOG.info("reserve of {} released, {} left in all", id, book.total());
    }

    /** Of thefts a part turns up again. */
    private static BigDecimal estimate(Claim claim) {
        return switch (claim) {
            case Claim.Theft theft -> theft.amount().multiply(THEFT_RATE).setScale(2, RoundingMode.HALF_UP);
            default -> claim.amount();
        };
    }
}
