package eu.parcelo.hub.handler;

import eu.parcelo.hub.message.Message;
import eu.parcelo.hub.service.WeighingService;

public class WeighHandler implements Handler {

    private final WeighingService weighing;

    public WeighHandler(WeighingService weighing) {
        this.weighing = weighing;
    }

    @Override
    public void handle(Message message) {
        weighing.weighed(message.id(), message.get("kg"));
    }
}
