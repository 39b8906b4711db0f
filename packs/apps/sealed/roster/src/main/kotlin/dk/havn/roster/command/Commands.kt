package dk.havn.roster.command

import dk.havn.roster.domain.Permanent
import dk.havn.roster.domain.ShiftKind
import dk.havn.roster.domain.Temp
import dk.havn.roster.domain.Trainee
import dk.havn.roster.domain.Week
import dk.havn.roster.repository.EmployeeRepository
import dk.havn.roster.repository.RateTable
import dk.havn.roster.service.AbsenceService
import dk.havn.roster.service.HoursReport
import dk.havn.roster.service.PayService
import dk.havn.roster.service.RosterService
import java.time.LocalDate

/** What can be typed. */
class Commands(
    private val employees: EmployeeRepository,
    private val rates: RateTable,
    private val roster: RosterService,
    private val absences: AbsenceService,
    private val hours: HoursReport,
    private val pay: PayService,
) {
    fun staff(args: List<String>): String {
        val (kind, id, name) = args
        val employee = when (kind) {
            "permanent" -> Permanent(id, name, args[3].toInt(), args[4].split(",").toSet())
            "temp" -> Temp(id, name, args[3], args[4].split(",").toSet())
            "trainee" -> Trainee(id, name, employees.get(args[3]))
            else -> throw IllegalArgumentException("staff is permanent, temp or trainee, not $kind")
        }
        employees.add(employee)
        return employee.toString()
    }

    fun rate(args: List<String>): String {
        rates.set(args[0], ShiftKind.valueOf(args[1]), args[2].toInt())
        return "set"
    }

    fun plan(args: List<String>): String =
        roster.plan(args[0], LocalDate.parse(args[1])).joinToString(prefix = "shifts ") { it.id.toString() }

    fun assign(args: List<String>): String = roster.assign(args[0].toInt(), args[1]).toString()

    fun sick(args: List<String>): String = "${absences.sick(args[0], LocalDate.parse(args[1]))} shifts"

    fun hours(args: List<String>): String =
        hours.balances(Week.parse(args[0])).joinToString { "${it.employee} ${it.worked}/${it.owed}" }

    fun pay(args: List<String>): String = "${pay.pay(args[0], Week.parse(args[1]))} øre"
}
