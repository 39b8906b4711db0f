package no.fjordly.booking.service

import no.fjordly.booking.domain.Guest
import no.fjordly.booking.domain.RatePlan
import no.fjordly.booking.domain.Room
import no.fjordly.booking.domain.RoomType
import no.fjordly.booking.domain.Stay
import no.fjordly.booking.repository.RateRepository
import java.time.LocalDate

class PricingService(private val rates: RateRepository) {

    fun quote(guest: Guest, room: Room, stay: Stay, planName: String = RatePlan.STANDARD, extraPercent: Int = 0): Int {
        val plan = rates.plan(planName)
        val sum = stay.nights.sumOf { night(plan, room.type, it) }
        val percent = 100 + extraPercent - (if (guest.regular) 5 else 0)
        return sum * percent / 100
    }

    private fun night(plan: RatePlan, type: RoomType, date: LocalDate): Int {
        val percent = if (Stay.isWeekend(date)) plan.weekendPercent else 100
        val cents = plan.nightly[type] ?: RatePlan.standard().nightly.getValue(type)
        return cents * percent / 100
    }

    fun offered(planName: String, type: RoomType) = type in rates.plan(planName).nightly
}
