package reenact.host;

/** A class or member that a recipe names is missing or out of reach. */
final class Unlinkable extends Error {
    Unlinkable(String what) {
        super(what, null, false, false);
    }
}
