package dk.havn.roster.domain

import java.time.LocalDate

data class Shift(
    val id: Int,
    val ward: String,
    val day: LocalDate,
    val kind: ShiftKind,
    val hours: Int = kind.hours,
    val employee: String? = null,
) {
    init {
        require(hours in 1..LONGEST) { "shift $id on $day would last $hours hours" }
    }

    val isOpen: Boolean
        get() = employee == null

    fun extendedBy(more: Int): Shift = copy(hours = hours + more)

    fun assignedTo(employee: Employee): Shift = copy(employee = employee.id)

    fun opened(): Shift = copy(employee = null)

    companion object {
        const val LONGEST = 12
    }
}
