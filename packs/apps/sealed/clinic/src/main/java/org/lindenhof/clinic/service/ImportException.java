package org.lindenhof.clinic.service;

public class ImportException extends RuntimeException {

    public ImportException(String message, Throwable cause) {
        super(message, cause);
    }
}
