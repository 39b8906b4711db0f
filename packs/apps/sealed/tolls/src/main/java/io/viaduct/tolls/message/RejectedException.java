package io.viaduct.tolls.message;

public class RejectedException extends RuntimeException {

    public RejectedException(String message) {
        super(message);
    }

    public RejectedException(String message, Throwable cause) {
        super(message, cause);
    }
}
