package no.fjordly.booking.service

class BookingException(message: String, cause: Throwable? = null) : RuntimeException(message, cause)
