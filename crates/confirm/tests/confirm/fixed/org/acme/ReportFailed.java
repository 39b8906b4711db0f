package org.acme;

public class ReportFailed extends RuntimeException {
    public ReportFailed(String message, Throwable cause) {
        super(message, cause);
    }
}
