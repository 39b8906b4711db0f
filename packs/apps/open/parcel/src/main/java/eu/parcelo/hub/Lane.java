package eu.parcelo.hub;

import eu.parcelo.hub.handler.Dispatcher;
import eu.parcelo.hub.message.Message;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One queue and the thread that empties it. */
class Lane implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(Lane.class);
    private static final Message END = new Message("END", "", Map.of());

    private final BlockingQueue<Message> queue = new LinkedBlockingQueue<>();
    private final Dispatcher dispatcher;

    Lane(Dispatcher dispatcher) {
        this.dispatcher = dispatcher;
    }

    void offer(Message message) {
        queue.add(message);
    }

    void end() {
        queue.add(END);
    }

    @Override
    public void run() {
        try {
            for (Message message = queue.take(); message != END; message = queue.take()) {
                process(message);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void process(Message message) {
        try {
            dispatcher.dispatch(message);
        } catch (RuntimeException e) {
            LOG.error("message {} {} dropped", message.type(), message.id(), e);
        }
    }
}
