package eu.parcelo.hub.handler;

import eu.parcelo.hub.domain.Route;
import eu.parcelo.hub.domain.Stop;
import eu.parcelo.hub.message.Message;
import eu.parcelo.hub.service.TrackingService;
import java.util.Arrays;
import java.util.stream.Collectors;

public class AnnounceHandler implements Handler {

    private final TrackingService tracking;

    public AnnounceHandler(TrackingService tracking) {
        this.tracking = tracking;
    }

    @Override
    public void handle(Message message) {
        Route route = Route.through(Arrays.stream(message.get("route").split(",")).map(Stop::parse).collect(Collectors.toList()));
        tracking.announce(message.id(), message.get("customer"), route);
    }
}
