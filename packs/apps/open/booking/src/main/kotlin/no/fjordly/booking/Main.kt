package no.fjordly.booking

import no.fjordly.booking.domain.RatePlan
import no.fjordly.booking.domain.Room
import no.fjordly.booking.domain.RoomType
import no.fjordly.booking.repository.FixedRooms
import no.fjordly.booking.repository.GuestRepository
import no.fjordly.booking.repository.RateRepository
import no.fjordly.booking.repository.ReservationRepository
import no.fjordly.booking.service.BookingService
import no.fjordly.booking.service.ChannelImport
import no.fjordly.booking.service.InvoiceService
import no.fjordly.booking.service.PricingService
import no.fjordly.booking.terminal.Commands
import no.fjordly.booking.terminal.Terminal

fun main() {
    val rooms = FixedRooms(
        listOf(
            Room("101", RoomType.SINGLE),
            Room("102", RoomType.DOUBLE),
            Room("201", RoomType.DOUBLE, floor = 2),
            Room("202", RoomType.FAMILY, floor = 2),
            Room("301", RoomType.SUITE, floor = 3),
        ),
    )
    val rates = RateRepository()
    rates.save(RatePlan("autumn", mapOf(RoomType.SINGLE to 6900, RoomType.DOUBLE to 9900), weekendPercent = 110))
    val reservations = ReservationRepository()
    val bookings = BookingService(rooms, GuestRepository(), reservations, PricingService(rates))
    val commands = Commands(bookings, InvoiceService(reservations), ChannelImport(bookings))
    Terminal(
        mapOf(
            "book" to commands::book,
            "change" to commands::change,
            "arrive" to commands::arrive,
            "leave" to commands::leave,
            "balance" to commands::balance,
            "import" to commands::load,
        ),
    ).run(System.`in`.bufferedReader())
}
