package eu.parcelo.hub.handler;

import eu.parcelo.hub.message.Message;

@FunctionalInterface
public interface Handler {

    void handle(Message message);
}
