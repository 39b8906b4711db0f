package io.viaduct.tolls.queue;

import io.viaduct.tolls.domain.Gantry;
import io.viaduct.tolls.domain.Tag;
import io.viaduct.tolls.domain.VehicleClass;
import io.viaduct.tolls.message.Message;
import io.viaduct.tolls.service.BillingService;
import io.viaduct.tolls.service.PassageService;
import io.viaduct.tolls.store.GantryStore;
import io.viaduct.tolls.store.TagStore;
import java.time.YearMonth;
import java.time.ZoneId;

public class Handler {

    private final GantryStore gantries;
    private final TagStore tags;
    private final PassageService passages;
    private final BillingService billing;

    public Handler(GantryStore gantries, TagStore tags, PassageService passages, BillingService billing) {
        this.gantries = gantries;
        this.tags = tags;
        this.passages = passages;
        this.billing = billing;
    }

    public void handle(Message message) {
        switch (message) {
            case Message.GantryInstalled g ->
                gantries.save(new Gantry(g.road(), g.number(), ZoneId.of(g.zone()), g.cents()));
            case Message.TagIssued t -> tags.save(new Tag(t.tag(), t.account(), VehicleClass.valueOf(t.vehicle())));
            case Message.Passed p -> passages.record(p);
            case Message.MonthEnded m -> billing.close(m.account(), YearMonth.parse(m.month()));
        }
    }
}
