package io.viaduct.tolls.queue;

import io.viaduct.tolls.message.MessageReader;
import java.util.concurrent.BlockingQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes messages from the queue until the end is announced. */
public class Consumer implements Runnable {

    static final String END = "";

    private static final Logger LOG = LoggerFactory.getLogger(Consumer.class);

    private final BlockingQueue<String> queue;
    private final MessageReader reader;
    private final Handler handler;

    public Consumer(BlockingQueue<String> queue, MessageReader reader, Handler handler) {
        this.queue = queue;
        this.reader = reader;
        this.handler = handler;
    }

    @Override
    public void run() {
        try {
            for (String json = queue.take(); !json.equals(END); json = queue.take()) {
                consume(json);
            }
            queue.put(END);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void consume(String json) {
        try {
            handler.handle(reader.read(json));
        } catch (RuntimeException e) {
            LOG.error("message goes to the dead letters: {}", json, e);
        }
    }
}
