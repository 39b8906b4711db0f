package no.fjordly.booking.service

import no.fjordly.booking.domain.Reservation
import no.fjordly.booking.domain.Stay

/** Bookings of a travel site, one in a line: guest,room,arrival/departure,plan. */
class ChannelImport(private val bookings: BookingService) {

    fun importAll(channel: String, lines: List<String>): List<Reservation> =
        lines.filter { it.isNotBlank() && !it.startsWith("#") }
            .mapIndexed { index, line -> importLine(channel, index + 1, line) }

    private fun importLine(channel: String, number: Int, line: String): Reservation {
        try {
            return toReservation(line.split(",").map { it.trim() })
        } catch (e: IndexOutOfBoundsException) {
            throw BookingException("booking $number of $channel is incomplete", e)
        }
    }

    private fun toReservation(cells: List<String>): Reservation {
        val stay = Stay.parse(cells[2])
        return if (cells.size > 3) bookings.book(cells[0], cells[1], stay, cells[3]) else bookings.book(cells[0], cells[1], stay)
    }
}
