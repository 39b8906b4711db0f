package dk.havn.roster.repository

import dk.havn.roster.domain.Shift
import dk.havn.roster.domain.Week
import java.time.LocalDate

interface ShiftRepository {

    fun nextId(): Int

    fun save(shift: Shift)

    fun get(id: Int): Shift

    fun on(day: LocalDate): List<Shift>

    fun ofWeek(week: Week): List<Shift>
}

class InMemoryShifts : ShiftRepository {

    private val shifts = sortedMapOf<Int, Shift>()

    override fun nextId(): Int = if (shifts.isEmpty()) 1 else shifts.lastKey() + 1

    override fun save(shift: Shift) {
        shifts[shift.id] = shift
    }

    override fun get(id: Int): Shift = shifts[id] ?: throw IllegalArgumentException("no shift $id")

    override fun on(day: LocalDate): List<Shift> = shifts.values.filter { it.day == day }

    override fun ofWeek(week: Week): List<Shift> = shifts.values.filter { Week.of(it.day) == week }
}
