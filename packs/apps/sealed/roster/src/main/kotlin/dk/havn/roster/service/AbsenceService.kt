package dk.havn.roster.service

import dk.havn.roster.domain.Shift
import dk.havn.roster.repository.EmployeeRepository
import dk.havn.roster.repository.ShiftRepository
import org.slf4j.LoggerFactory
import java.time.LocalDate

/** Finds somebody for the shifts of people who are ill. */
class AbsenceService(
    private val employees: EmployeeRepository,
    private val shifts: ShiftRepository,
    private val roster: RosterService,
) {
    private val log = LoggerFactory.getLogger(AbsenceService::class.java)

    fun sick(employeeId: String, day: LocalDate): Int {
        val employee = employees.get(employeeId)
        val open = shifts.on(day).filter { it.employee == employee.id }.map { it.opened() }
        open.forEach { cover(it, employeeId) }
        return open.size
    }

    private fun cover(shift: Shift, absent: String) {
        shifts.save(shift)
        val substitute = roster.candidates(shift.ward, shift.day).firstOrNull { it.id != absent }
        if (substitute != null) {
            roster.assign(shift.id, substitute.id)
            return
        }
        val neighbours = neighbours(shift)
        neighbours.forEach { extend(it, shift.hours / neighbours.size) }
    }

    /** Those who work before and after stay longer or come earlier. */
    private fun neighbours(shift: Shift): List<Shift> {
        val kinds = listOfNotNull(shift.kind.before(), shift.kind.after())
        return shifts.on(shift.day).filter { it.ward == shift.ward && it.kind in kinds && !it.isOpen }
    }

    private fun extend(shift: Shift, hours: Int) {
        val longer = shift.extendedBy(hours)
        shifts.save(longer)
        log.info("shift {} of {} now lasts {} hours", longer.id, longer.employee, longer.hours)
    }
}
