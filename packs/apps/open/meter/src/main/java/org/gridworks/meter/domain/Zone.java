package org.gridworks.meter.domain;

public final class Zone {

    private final String name;
    private final String window;
    private final double centsPerKwh;

    public Zone(String name, String window, double centsPerKwh) {
        this.name = name;
        this.window = window;
        this.centsPerKwh = centsPerKwh;
    }

    public String name() {
        return name;
    }

    public double centsPerKwh() {
        return centsPerKwh;
    }

    public boolean covers(int hour) {
        return window == null || window.isBlank() || TimeWindow.parse(window).contains(hour);
    }
}
