package org.gridworks.meter.io;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import org.gridworks.meter.domain.Reading;

/** One line: meter;date;time;kWh, the number as the country writes it. */
public class ReadingParser {

    public Reading parse(String line) {
        String[] cells = line.split(";");
        LocalDateTime at = LocalDateTime.of(LocalDate.parse(cells[1].trim()), LocalTime.parse(cells[2].trim()));
        return new Reading(cells[0].trim(), at, number(cells[3].trim()));
    }

    private double number(String text) {
        return Double.parseDouble(text.replace(',', '.'));
    }
}
