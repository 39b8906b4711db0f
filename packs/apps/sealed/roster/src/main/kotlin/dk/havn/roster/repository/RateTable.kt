package dk.havn.roster.repository

import dk.havn.roster.domain.ShiftKind

/** Pay by the hour in øre; a ward may have rates of its own. */
class RateTable {

    private val rates = mutableMapOf<String, MutableMap<ShiftKind, Int>>()

    fun set(ward: String, kind: ShiftKind, rate: Int) {
        rates.getOrPut(ward) { mutableMapOf() }[kind] = rate
    }

    fun rate(ward: String, kind: ShiftKind): Int {
        val ofWard = rates[ward] ?: rates.getValue(STANDARD)
        return ofWard.getValue(kind)
    }

    companion object {
        const val STANDARD = "standard"
    }
}
