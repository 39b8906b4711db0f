package org.lindenhof.clinic.service;

/** Something the caller did wrong; told to them, not logged. */
public class ClinicException extends RuntimeException {

    private final int status;

    public ClinicException(int status, String message) {
        super(message);
        this.status = status;
    }

    public int status() {
        return status;
    }
}
