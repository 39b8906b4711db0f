/** Records (Java 16). */
record Since17(int count, String name, double[] values) {
    record Empty() {}
}
