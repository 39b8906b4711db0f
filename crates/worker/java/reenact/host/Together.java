package reenact.host;

import java.util.concurrent.CountDownLatch;

/** Blocks that run at the same time, each in a thread of its own. */
final class Together {
    private final CountDownLatch start = new CountDownLatch(1);
    /** All threads could be started. Written before the latch opens. */
    private boolean isComplete;
    private Throwable first;

    private Together() {
    }

    /** Runs the blocks at the cursors and waits for all; of what they throw, the first is thrown here. */
    static void runAndWait(Evaluator[] bodies) throws Throwable {
        Together together = new Together();
        Thread[] threads = new Thread[bodies.length];
        try {
            for (int i = 0; i < threads.length; i++) {
                threads[i] = new Thread(new Part(together, bodies[i]));
                threads[i].setDaemon(true);
                threads[i].start();
            }
            together.isComplete = true;
        } finally {
            // Also if one may not be started: nobody is left waiting.
            together.start.countDown();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        Throwable thrown = together.first();
        if (thrown != null) {
            throw thrown;
        }
    }

    private synchronized void threw(Throwable thrown) {
        if (first == null) {
            first = thrown;
        }
    }

    private synchronized Throwable first() {
        return first;
    }

    /** One of the blocks. */
    private static final class Part implements Runnable {
        private final Together together;
        private final Evaluator body;

        Part(Together together, Evaluator body) {
            this.together = together;
            this.body = body;
        }

        @Override
        public void run() {
            try {
                together.start.await();
                if (together.isComplete) {
                    root();
                }
            } catch (Unlinkable e) {
                // Whatever another one throws before.
                body.candidate.unlinkable = e;
                together.threw(e);
            } catch (Throwable t) {
                together.threw(t);
            }
        }

        /** {@link Frames} knows it by name. */
        private void root() throws Throwable {
            body.nested();
        }
    }
}
