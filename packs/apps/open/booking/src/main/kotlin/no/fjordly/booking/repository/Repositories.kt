package no.fjordly.booking.repository

import no.fjordly.booking.domain.Guest
import no.fjordly.booking.domain.RatePlan
import no.fjordly.booking.domain.Reservation
import no.fjordly.booking.domain.Room
import no.fjordly.booking.domain.Stay
import no.fjordly.booking.domain.Status

interface RoomRepository {
    fun find(number: String): Room?

    fun all(): List<Room>
}

class FixedRooms(private val rooms: List<Room>) : RoomRepository {
    override fun find(number: String) = rooms.firstOrNull { it.number == number }

    override fun all() = rooms
}

class GuestRepository {
    private val guests = mutableMapOf<String, Guest>()

    fun save(guest: Guest) {
        guests[guest.id] = guest
    }

    fun findOrCreate(id: String, name: String = id) = guests.getOrPut(id) { Guest(id, name) }
}

class RateRepository {
    private val plans = mutableMapOf(RatePlan.STANDARD to RatePlan.standard())

    fun save(plan: RatePlan) {
        plans[plan.name] = plan
    }

    fun plan(name: String) = plans[name] ?: plans.getValue(RatePlan.STANDARD)
}

class ReservationRepository {
    private val reservations = sortedMapOf<Int, Reservation>()

    fun nextId() = (reservations.keys.maxOrNull() ?: 0) + 1

    fun save(reservation: Reservation): Reservation {
        reservations[reservation.id] = reservation
        return reservation
    }

    fun find(id: Int) = reservations[id]

    fun ofGuest(guestId: String) = reservations.values.filter { it.guest.id == guestId }

    fun isFree(room: Room, stay: Stay) =
        reservations.values.none { it.room == room && it.status != Status.CANCELLED && it.stay.overlaps(stay) }
}
