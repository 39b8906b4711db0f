package org.apache.logging.log4j;

/** What matters of the interface that programs call. */
public interface Logger {
    <T extends Throwable> T throwing(T throwable);
}
