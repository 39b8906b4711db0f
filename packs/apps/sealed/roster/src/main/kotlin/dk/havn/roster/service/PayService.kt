package dk.havn.roster.service

import dk.havn.roster.domain.Shift
import dk.havn.roster.domain.Week
import dk.havn.roster.repository.EmployeeRepository
import dk.havn.roster.repository.RateTable
import dk.havn.roster.repository.ShiftRepository
import java.time.DayOfWeek

class PayService(
    private val employees: EmployeeRepository,
    private val shifts: ShiftRepository,
    private val rates: RateTable,
) {
    fun pay(employeeId: String, week: Week, sundayPercent: Int = 150): Int {
        val employee = employees.get(employeeId)
        return shifts.ofWeek(week)
            .filter { it.employee == employee.id }
            .sumOf { pay(it, sundayPercent) }
    }

    private fun pay(shift: Shift, sundayPercent: Int): Int {
        val base = shift.hours * rates.rate(shift.ward, shift.kind)
        return if (shift.day.dayOfWeek == DayOfWeek.SUNDAY) base * sundayPercent / 100 else base
    }
}
