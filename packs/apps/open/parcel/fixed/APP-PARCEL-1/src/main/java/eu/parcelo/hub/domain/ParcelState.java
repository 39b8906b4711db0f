package eu.parcelo.hub.domain;

public enum ParcelState {
    ANNOUNCED, IN_TRANSIT, AT_DEPOT, ON_VAN, RETURNING, DELIVERED;

    /** The state that the event leads to, or null where it must not happen. */
    ParcelState on(Event event) {
        switch (this) {
            case ANNOUNCED:
                return event == Event.PICKED_UP ? IN_TRANSIT : null;
            case IN_TRANSIT:
                return event == Event.DEPOT ? AT_DEPOT : null;
            case AT_DEPOT:
                return event == Event.OUT ? ON_VAN : event == Event.PICKED_UP ? IN_TRANSIT : null;
            case ON_VAN:
                return event == Event.DELIVERED ? DELIVERED : event == Event.FAILED ? AT_DEPOT : null;
            case RETURNING:
                return event == Event.DELIVERED ? DELIVERED : RETURNING;
            default:
                return null;
        }
    }
}
