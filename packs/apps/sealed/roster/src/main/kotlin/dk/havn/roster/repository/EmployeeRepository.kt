package dk.havn.roster.repository

import dk.havn.roster.domain.Employee

class EmployeeRepository {

    private val employees = linkedMapOf<String, Employee>()

    fun add(employee: Employee) {
        employees[employee.id] = employee
    }

    fun find(id: String): Employee? = employees[id]

    fun get(id: String): Employee = find(id) ?: throw UnknownEmployeeException(id)

    fun all(): Collection<Employee> = employees.values
}

class UnknownEmployeeException(id: String) : RuntimeException("no employee $id")
