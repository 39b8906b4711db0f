package pl.magazyn.depot.domain;

public enum OrderState {
    OPEN, PICKED, SHORT
}
