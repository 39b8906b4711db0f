package eu.parcelo.hub.handler;

import eu.parcelo.hub.message.Message;
import eu.parcelo.hub.service.TrackingService;

public class ScanHandler implements Handler {

    private final TrackingService tracking;

    public ScanHandler(TrackingService tracking) {
        this.tracking = tracking;
    }

    @Override
    public void handle(Message message) {
        tracking.scan(message.id(), message.get("event"), message.get("remark"));
    }
}
