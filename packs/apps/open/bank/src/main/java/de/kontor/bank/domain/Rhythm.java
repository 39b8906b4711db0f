package de.kontor.bank.domain;

import java.time.LocalDate;

public enum Rhythm {
    WEEKLY {
        @Override
        public LocalDate after(LocalDate date) {
            return date.plusWeeks(1);
        }
    },
    MONTHLY {
        @Override
        public LocalDate after(LocalDate date) {
            return date.plusMonths(1);
        }
    };

    public abstract LocalDate after(LocalDate date);
}
