package reenact.user;

import java.lang.invoke.MethodHandles;

/**
 * Defined in the program's class loader: recipes call the program on its behalf, so that methods which look at their
 * caller find what they would find in a test.
 */
public final class Caller {
    private Caller() {
    }

    public static MethodHandles.Lookup lookup() {
        return MethodHandles.lookup();
    }
}
