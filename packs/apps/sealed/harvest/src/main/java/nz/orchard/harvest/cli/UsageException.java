package nz.orchard.harvest.cli;

public class UsageException extends RuntimeException {

    public UsageException(String message) {
        super(message);
    }
}
