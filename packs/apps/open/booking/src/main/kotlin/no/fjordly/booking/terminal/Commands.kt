package no.fjordly.booking.terminal

import no.fjordly.booking.domain.Status
import no.fjordly.booking.domain.Stay
import no.fjordly.booking.service.BookingService
import no.fjordly.booking.service.ChannelImport
import no.fjordly.booking.service.InvoiceService
import java.nio.file.Path
import kotlin.io.path.readLines

/** What the desk can type; every command answers with a line. */
class Commands(private val bookings: BookingService, private val invoices: InvoiceService, private val channels: ChannelImport) {

    fun book(args: List<String>): String {
        val stay = Stay.parse(args[2])
        val r = if (args.size > 3) bookings.book(args[0], args[1], stay, args[3]) else bookings.book(args[0], args[1], stay)
        return "reservation ${r.id}, ${r.price}"
    }

    fun change(args: List<String>): String = "now ${bookings.change(args[0].toInt(), args[1]).price}"

    fun arrive(args: List<String>): String = bookings.move(args[0].toInt(), Status.ARRIVED).status.name

    fun leave(args: List<String>): String {
        val reservation = bookings.move(args[0].toInt(), Status.LEFT)
        if ("express" in args) {
            return "the invoice will be sent"
        }
        val minibar = args.getOrNull(1)?.toIntOrNull() ?: 0
        return "invoice ${invoices.write(reservation, minibar).number}"
    }

    fun balance(args: List<String>): String = "${args[0]} owes ${invoices.balance(args[0])}"

    fun load(args: List<String>): String = "${channels.importAll(args[0], Path.of(args[1]).readLines()).size} bookings"
}
