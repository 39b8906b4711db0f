package reenact.host;

/** A block that runs in a thread of its own. */
final class SecondThread implements Runnable {
    private final Evaluator body;
    private Throwable thrown;

    private SecondThread(Evaluator body) {
        this.body = body;
    }

    /** Runs the block at the cursor and waits for it; what it throws is thrown here. */
    static void runAndWait(Evaluator body) throws Throwable {
        SecondThread second = new SecondThread(body);
        Thread thread = new Thread(second);
        thread.start();
        thread.join();
        if (second.thrown != null) {
            throw second.thrown;
        }
    }

    @Override
    public void run() {
        try {
            root();
        } catch (Throwable t) {
            thrown = t;
        }
    }

    /** {@link Frames} knows it by name. */
    private void root() throws Throwable {
        body.nested();
    }
}
