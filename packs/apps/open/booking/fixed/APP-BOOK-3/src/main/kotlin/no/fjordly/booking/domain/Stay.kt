package no.fjordly.booking.domain

import java.time.DayOfWeek
import java.time.LocalDate

/** The nights from the arrival until the morning of the departure. */
data class Stay(val arrival: LocalDate, val departure: LocalDate) {

    init {
        require(departure.isAfter(arrival)) { "departure $departure is not after arrival $arrival" }
    }

    val nights: List<LocalDate>
        get() = generateSequence(arrival) { it.plusDays(1) }.takeWhile { it.isBefore(departure) }.toList()

    fun overlaps(other: Stay) = arrival.isBefore(other.departure) && other.arrival.isBefore(departure)

    companion object {
        fun parse(period: String): Stay {
            val days = period.split("/").map { LocalDate.parse(it) }
            return if (days.size > 1) Stay(days[0], days[1]) else of(days[0])
        }

        fun of(arrival: LocalDate, nights: Int = 1) = Stay(arrival, arrival.plusDays(nights.toLong()))

        fun isWeekend(night: LocalDate) = night.dayOfWeek == DayOfWeek.FRIDAY || night.dayOfWeek == DayOfWeek.SATURDAY
    }
}
