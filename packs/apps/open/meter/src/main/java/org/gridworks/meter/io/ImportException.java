package org.gridworks.meter.io;

public class ImportException extends RuntimeException {

    public ImportException(String message, Throwable cause) {
        super(message, cause);
    }
}
