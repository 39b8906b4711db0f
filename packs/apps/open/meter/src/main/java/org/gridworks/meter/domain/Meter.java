package org.gridworks.meter.domain;

/** A meter as the file has it; the parent is the meter that this one hangs behind. */
public final class Meter {

    private String id;
    private String parent;
    private String place;
    private double factor = 1;

    public Meter() {
    }

    public Meter(String id, String parent, double factor) {
        this.id = id;
        this.parent = parent;
        this.factor = factor;
    }

    public String getId() {
        return id;
    }

    public String getParent() {
        return parent;
    }

    public String getPlace() {
        return place;
    }

    public double getFactor() {
        return factor;
    }
}
