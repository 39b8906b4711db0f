package no.fjordly.booking.domain

enum class RoomType { SINGLE, DOUBLE, FAMILY, SUITE }

data class Room(val number: String, val type: RoomType, val floor: Int = 1)
