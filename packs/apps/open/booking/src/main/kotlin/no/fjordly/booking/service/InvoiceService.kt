package no.fjordly.booking.service

import no.fjordly.booking.domain.Invoice
import no.fjordly.booking.domain.Reservation
import no.fjordly.booking.domain.Status
import no.fjordly.booking.repository.ReservationRepository

class InvoiceService(private val reservations: ReservationRepository, private var lastNumber: Int = 500) {

    fun write(reservation: Reservation, minibar: Int = 0): Invoice {
        val invoice = Invoice(++lastNumber)
        invoice.add("room ${reservation.room.number}, ${reservation.stay.nights.size} nights", reservation.price)
        if (minibar > 0) {
            invoice.add("minibar", minibar)
        }
        reservation.invoice = invoice
        reservations.save(reservation)
        return invoice
    }

    /** What a guest still owes us for stays that are over. */
    fun balance(guestId: String): Int =
        reservations.ofGuest(guestId)
            .filter { it.status == Status.LEFT }
            .sortedBy { it.stay.arrival }
            .sumOf { open(it) }

    private fun open(reservation: Reservation) = reservation.invoice.let { if (it.paid) 0 else it.total }
}
