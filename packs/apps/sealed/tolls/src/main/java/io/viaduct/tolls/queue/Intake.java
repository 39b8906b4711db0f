package io.viaduct.tolls.queue;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.concurrent.BlockingQueue;

/** Puts lines into the queue. */
public class Intake {

    private final BlockingQueue<String> queue;

    public Intake(BlockingQueue<String> queue) {
        this.queue = queue;
    }

    public int readAll(BufferedReader in) throws IOException, InterruptedException {
        int n = 0;
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            if (!line.isBlank()) {
                queue.put(line);
                n++;
            }
        }
        queue.put(Consumer.END);
        return n;
    }
}
