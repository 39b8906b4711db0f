package no.fjordly.booking.domain

data class InvoiceLine(val text: String, val cents: Int)

class Invoice(val number: Int, lines: List<InvoiceLine> = emptyList()) {

    private val lines = lines.toMutableList()

    var paid = false
        private set

    fun add(text: String, cents: Int) {
        lines += InvoiceLine(text, cents)
    }

    fun pay() {
        paid = true
    }

    val total: Int
        get() = lines.sumOf { it.cents }
}
