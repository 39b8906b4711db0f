package org.gridworks.meter.domain;

/** Hours of a day, the last one not included; 22-6 goes over midnight. */
public record TimeWindow(int from, int to) {

    public static TimeWindow parse(String text) {
        String[] hours = text.trim().split("-");
        return new TimeWindow(Integer.parseInt(hours[0]), Integer.parseInt(hours[1]));
    }

    public boolean contains(int hour) {
        return from <= to ? hour >= from && hour < to : hour >= from || hour < to;
    }
}
