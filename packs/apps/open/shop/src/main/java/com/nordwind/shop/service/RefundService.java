package com.nordwind.shop.service;

import com.nordwind.shop.domain.Money;
import com.nordwind.shop.domain.Order;
import com.nordwind.shop.domain.OrderStatus;
import com.nordwind.shop.domain.Payment;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

public class RefundService {

    private static final Logger LOG = LoggerFactory.getLogger(RefundService.class);

    private final List<String> bankTransfers = new ArrayList<>();

    /** Gives the money back; a gift card is topped up at once, everything else goes out with the next bank run. */
    public void refund(Order order, Payment payment) {
        Money amount = payment.amount();
        if (payment instanceof Payment.GiftCard card) {
            LOG.info("gift card {} topped up with {}", card.code(), amount);
            order.moveTo(OrderStatus.REFUNDED);
        } else if (amount.cents() > 0) {
            bankTransfers.add("order " + order.id() + ": " + amount);
        }
    }

    public List<String> bankTransfers() {
        return List.copyOf(bankTransfers);
    }
}
