package nz.orchard.harvest.io;

public class SheetException extends RuntimeException {

    public SheetException(String message, Throwable cause) {
        super(message, cause);
    }
}
