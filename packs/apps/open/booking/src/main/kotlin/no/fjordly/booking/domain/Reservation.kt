package no.fjordly.booking.domain

enum class Status { BOOKED, ARRIVED, LEFT, CANCELLED }

data class Reservation(
    val id: Int,
    val guest: Guest,
    val room: Room,
    val stay: Stay,
    val plan: String = RatePlan.STANDARD,
    val status: Status = Status.BOOKED,
    val price: Int = 0,
) {
    lateinit var invoice: Invoice

    fun hasInvoice() = this::invoice.isInitialized

    /** A copy that keeps the invoice, which copy() alone would lose. */
    fun moved(status: Status = this.status, room: Room = this.room, price: Int = this.price): Reservation {
        val next = copy(status = status, room = room, price = price)
        if (hasInvoice()) {
            next.invoice = invoice
        }
        return next
    }
}
