package io.brightdesk.domain;

public enum Priority {
    LOW, NORMAL, HIGH, CRITICAL;

    public Priority raised() {
        return this == CRITICAL ? CRITICAL : values()[ordinal() + 1];
    }
}
