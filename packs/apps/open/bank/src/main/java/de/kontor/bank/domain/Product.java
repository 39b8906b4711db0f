package de.kontor.bank.domain;

import java.time.Year;

/** Terms of a kind of account; the rate is in basis points. */
public record Product(String code, String name, int rateBp, String dayCount) {

    public int daysOfYear(int year) {
        switch (dayCount) {
            case "30E/360":
                return 360;
            case "ACT/365":
                return 365;
            case "ACT/ACT":
                return Year.of(year).length();
            default:
                return 0;
        }
    }
}
