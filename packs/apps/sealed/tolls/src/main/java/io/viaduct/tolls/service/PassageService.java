package io.viaduct.tolls.service;

import io.viaduct.tolls.domain.Gantry;
import io.viaduct.tolls.domain.Passage;
import io.viaduct.tolls.domain.Tag;
import io.viaduct.tolls.message.Message;
import io.viaduct.tolls.message.RejectedException;
import io.viaduct.tolls.store.AccountStore;
import io.viaduct.tolls.store.GantryStore;
import io.viaduct.tolls.store.TagStore;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

public class PassageService {

    private static final Logger LOG = LoggerFactory.getLogger(PassageService.class);

    private final GantryStore gantries;
    private final TagStore tags;
    private final AccountStore accounts;
    private final TollCalculator calculator;

    public PassageService(GantryStore gantries, TagStore tags, AccountStore accounts, TollCalculator calculator) {
        this.gantries = gantries;
        this.tags = tags;
        this.accounts = accounts;
        this.calculator = calculator;
    }

    public Passage record(Message.Passed message) {
        Gantry gantry = gantries.find(message.gantry())
                .orElseThrow(() -> new RejectedException("no gantry " + message.gantry()));
        Tag tag = tags.find(message.tag()).orElseThrow(() -> new RejectedException("no tag " + message.tag()));
        Instant at = at(gantry, message);
        Map<String, String> details = message.details() == null ? Map.of() : message.details();
        Passage passage = new Passage(tag, gantry, at, calculator.cents(gantry, tag.vehicle(), details));
        accounts.of(tag.account()).add(passage);
        LOG.info("{} passed {} for {} cents", tag.id(), gantry.id(), passage.cents());
        return passage;
    }

    private static Instant at(Gantry gantry, Message.Passed message) {
        try {
            return gantry.instant(message.at());
        } catch (DateTimeException e) {
            throw new RejectedException("gantry " + gantry.id() + " saw " + message.tag() + " at no known time", e);
        }
    }
}
