package no.fjordly.booking.domain

/** Prices of a night in cents, for each type of room that the plan is offered for. */
data class RatePlan(val name: String, val nightly: Map<RoomType, Int>, val weekendPercent: Int = 100) {

    companion object {
        const val STANDARD = "standard"

        fun standard() = RatePlan(
            STANDARD,
            mapOf(RoomType.SINGLE to 8900, RoomType.DOUBLE to 12900, RoomType.FAMILY to 16900, RoomType.SUITE to 28900),
        )
    }
}
