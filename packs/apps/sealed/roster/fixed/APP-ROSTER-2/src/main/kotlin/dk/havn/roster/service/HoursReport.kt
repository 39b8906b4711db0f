package dk.havn.roster.service

import dk.havn.roster.domain.Balance
import dk.havn.roster.domain.Permanent
import dk.havn.roster.domain.Shift
import dk.havn.roster.domain.Week
import dk.havn.roster.repository.EmployeeRepository
import dk.havn.roster.repository.ShiftRepository

class HoursReport(private val employees: EmployeeRepository, private val shifts: ShiftRepository) {

    fun balances(week: Week): List<Balance> =
        shifts.ofWeek(week)
            .filterNot { it.isOpen }
            .groupBy { it.employee!! }
            .asSequence()
            .filter { (id, _) -> employees.get(id) is Permanent }
            .map { (id, worked) -> balance(id, worked) }
            .sortedByDescending { it.overtime }
            .toList()

    private fun balance(id: String, worked: List<Shift>): Balance {
        val employee = employees.get(id) as Permanent
        return Balance(employee.name, worked.sumOf { it.hours }, employee.weeklyHours)
    }
}
