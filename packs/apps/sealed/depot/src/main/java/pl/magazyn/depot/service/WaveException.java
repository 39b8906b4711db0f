package pl.magazyn.depot.service;

public class WaveException extends RuntimeException {

    public WaveException(String message, Throwable cause) {
        super(message, cause);
    }
}
