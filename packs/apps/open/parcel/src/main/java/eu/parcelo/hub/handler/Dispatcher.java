package eu.parcelo.hub.handler;

import eu.parcelo.hub.message.Message;
import java.util.HashMap;
import java.util.Map;

public class Dispatcher {

    private final Map<String, Handler> handlers = new HashMap<>();

    public Dispatcher register(String type, Handler handler) {
        handlers.put(type, handler);
        return this;
    }

    public void dispatch(Message message) {
        Handler handler = handlers.get(message.type());
        if (handler == null) {
            throw new IllegalArgumentException("no handler for " + message.type());
        }
        handler.handle(message);
    }
}
