package no.fjordly.booking.service

import no.fjordly.booking.domain.RatePlan
import no.fjordly.booking.domain.Reservation
import no.fjordly.booking.domain.Status
import no.fjordly.booking.domain.Stay
import no.fjordly.booking.repository.GuestRepository
import no.fjordly.booking.repository.ReservationRepository
import no.fjordly.booking.repository.RoomRepository
import org.slf4j.LoggerFactory

class BookingService(
    private val rooms: RoomRepository,
    private val guests: GuestRepository,
    private val reservations: ReservationRepository,
    private val pricing: PricingService,
) {
    private val log = LoggerFactory.getLogger(BookingService::class.java)

    fun book(guestId: String, roomNumber: String, stay: Stay, plan: String = RatePlan.STANDARD): Reservation {
        val room = rooms.find(roomNumber) ?: throw BookingException("no room $roomNumber")
        if (!reservations.isFree(room, stay)) {
            throw BookingException("room $roomNumber is taken")
        }
        val guest = guests.findOrCreate(guestId)
        val used = if (pricing.offered(plan, room.type)) plan else RatePlan.STANDARD
        val price = pricing.quote(guest, room, stay, used)
        log.info("room {} for {}, {} nights, {}", roomNumber, guest.name, stay.nights.size, used)
        return reservations.save(Reservation(reservations.nextId(), guest, room, stay, used, price = price))
    }

    fun get(id: Int) = reservations.find(id) ?: throw BookingException("no reservation $id")

    /** Another room for the rest of the stay, if it is free. */
    fun change(id: Int, roomNumber: String): Reservation {
        val reservation = get(id)
        val room = rooms.find(roomNumber) ?: throw BookingException("no room $roomNumber")
        if (!reservations.isFree(room, reservation.stay)) {
            throw BookingException("room $roomNumber is taken")
        }
        val price = with(reservation) { pricing.quote(guest, room, stay, plan) }
        return reservations.save(reservation.moved(room = room, price = price))
    }

    fun move(id: Int, status: Status) = reservations.save(get(id).moved(status = status))
}
