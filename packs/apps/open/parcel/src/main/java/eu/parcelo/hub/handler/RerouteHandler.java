package eu.parcelo.hub.handler;

import eu.parcelo.hub.domain.Stop;
import eu.parcelo.hub.message.Message;
import eu.parcelo.hub.service.RoutingService;

public class RerouteHandler implements Handler {

    private final RoutingService routing;

    public RerouteHandler(RoutingService routing) {
        this.routing = routing;
    }

    @Override
    public void handle(Message message) {
        routing.reroute(message.id(), Stop.parse(message.get("via")));
    }
}
