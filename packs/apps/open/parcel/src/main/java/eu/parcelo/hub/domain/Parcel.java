package eu.parcelo.hub.domain;

public final class Parcel {

    private static final int MAX_ATTEMPTS = 3;

    private final String id;
    private final String customer;
    private final Route route;
    private ParcelState state = ParcelState.ANNOUNCED;
    private int attempts;

    public Parcel(String id, String customer, Route route) {
        this.id = id;
        this.customer = customer;
        this.route = route;
    }

    static Parcel restore(Snapshot snapshot) {
        Parcel parcel = new Parcel(snapshot.id(), snapshot.customer(), Route.restore(snapshot));
        parcel.state = snapshot.state();
        parcel.attempts = snapshot.attempts();
        return parcel;
    }

    /** The same parcel, holding on to nothing that it does not need. */
    public Parcel compacted() {
        return restore(new Snapshot(id, customer, state, attempts, route.stops()));
    }

    public String id() {
        return id;
    }

    public String customer() {
        return customer;
    }

    public Route route() {
        return route;
    }

    public ParcelState state() {
        return state;
    }

    public void apply(Event event) {
        ParcelState next = state.on(event);
        if (next == null) {
            throw new IllegalStateException("parcel " + id + ": " + event + " in state " + state + " after " + attempts + " attempts");
        }
        if (event == Event.FAILED && ++attempts >= MAX_ATTEMPTS) {
            next = ParcelState.RETURNING;
        }
        state = next;
    }
}
