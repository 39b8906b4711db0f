package no.fjordly.booking.domain

data class Guest(val id: String, val name: String, val email: String? = null, val regular: Boolean = false)
