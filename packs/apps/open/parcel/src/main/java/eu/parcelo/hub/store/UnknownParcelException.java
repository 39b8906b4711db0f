package eu.parcelo.hub.store;

public class UnknownParcelException extends RuntimeException {

    public UnknownParcelException(String id) {
        super("unknown parcel " + id);
    }
}
