package de.kontor.bank.repository;

import de.kontor.bank.domain.Booking;
import de.kontor.bank.jdbc.JdbcClient;

public class BookingRepository {

    private final JdbcClient jdbc;

    public BookingRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    public void insert(Booking booking) {
        jdbc.update("booking " + booking.reference(), "insert into booking (iban, reference, booked_on, cents) values (?, ?, ?, ?)",
                booking.iban(), booking.reference(), booking.date(), booking.cents());
    }

    public long count() {
        return jdbc.query("bookings", row -> row.getLong(1), "select count(*) from booking").get(0);
    }
}
