package dk.havn.roster.service

import dk.havn.roster.domain.Employee
import dk.havn.roster.domain.Shift
import dk.havn.roster.domain.ShiftKind
import dk.havn.roster.repository.EmployeeRepository
import dk.havn.roster.repository.ShiftRepository
import org.slf4j.LoggerFactory
import java.time.LocalDate

class RosterService(private val employees: EmployeeRepository, private val shifts: ShiftRepository) {

    private val log = LoggerFactory.getLogger(RosterService::class.java)

    fun plan(ward: String, day: LocalDate, kinds: List<ShiftKind> = ShiftKind.entries): List<Shift> =
        kinds.map { kind -> Shift(shifts.nextId(), ward, day, kind).also(shifts::save) }

    fun assign(shiftId: Int, employeeId: String): Shift {
        val employee = employees.get(employeeId)
        val shift = shifts.get(shiftId)
        if (!employee.canWork(shift.ward)) {
            throw RosterException("$employee does not work on ${shift.ward}")
        }
        if (!isFree(employee, shift.day)) {
            throw RosterException("$employee is taken on ${shift.day}")
        }
        return shift.assignedTo(employee).also {
            shifts.save(it)
            log.info("shift {} ({} {} {}) goes to {}", it.id, it.ward, it.day, it.kind, employee)
        }
    }

    fun isFree(employee: Employee, day: LocalDate): Boolean = shifts.on(day).none { it.employee == employee.id }

    fun candidates(ward: String, day: LocalDate): Sequence<Employee> =
        employees.all().asSequence().filter { it.canWork(ward) }.filter { isFree(it, day) }
}

class RosterException(message: String) : RuntimeException(message)
