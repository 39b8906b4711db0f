package org.gridworks.meter.domain;

/** Hours of a day, the last one not included; 22-6 goes over midnight. */
public record TimeWindow(int from, int to) {

    public static TimeWindow parse(String text) {
        String[] hours = text.trim().split("-");
        int from = Integer.parseInt(hours[0]);
        return new TimeWindow(from, hours.length > 1 ? Integer.parseInt(hours[1]) : 24);
    }

    public boolean contains(int hour) {
        return from <= to ? hour >= from && hour < to : hour >= from || hour < to;
    }
}
