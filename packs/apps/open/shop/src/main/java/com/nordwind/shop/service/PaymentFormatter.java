package com.nordwind.shop.service;

import com.nordwind.shop.domain.Authorisation;
import com.nordwind.shop.domain.Money;
import com.nordwind.shop.domain.Payment;
import java.time.LocalDate;

public class PaymentFormatter {

    public String describe(Payment payment) {
        return switch (payment) {
            case Payment.Card(Authorisation(String reference, LocalDate until), Money amount) ->
                    amount + " by card, authorisation " + reference + " until " + until;
            case Payment.Invoice(LocalDate due, Money amount) -> amount + " due on " + due;
            case Payment.GiftCard(String code, Money amount) -> amount + " from gift card " + code;
        };
    }
}
