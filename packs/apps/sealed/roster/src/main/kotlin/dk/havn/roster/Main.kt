package dk.havn.roster

import dk.havn.roster.command.Commands
import dk.havn.roster.command.Session
import dk.havn.roster.repository.EmployeeRepository
import dk.havn.roster.repository.InMemoryShifts
import dk.havn.roster.repository.RateTable
import dk.havn.roster.service.AbsenceService
import dk.havn.roster.service.HoursReport
import dk.havn.roster.service.PayService
import dk.havn.roster.service.RosterService
import java.io.File

fun main(args: Array<String>) {
    val employees = EmployeeRepository()
    val shifts = InMemoryShifts()
    val rates = RateTable()
    val roster = RosterService(employees, shifts)
    val commands = Commands(
        employees,
        rates,
        roster,
        AbsenceService(employees, shifts, roster),
        HoursReport(employees, shifts),
        PayService(employees, shifts, rates),
    )
    val session = Session(
        mapOf(
            "staff" to commands::staff,
            "rate" to commands::rate,
            "plan" to commands::plan,
            "assign" to commands::assign,
            "sick" to commands::sick,
            "hours" to commands::hours,
            "pay" to commands::pay,
        )
    )
    File(args[0]).useLines(block = session::run)
}
