package eu.parcelo.hub.domain;

public enum Event {
    PICKED_UP, DEPOT, OUT, FAILED, DELIVERED
}
