package dk.havn.roster.domain

sealed class Employee(val id: String, val name: String) {

    abstract val skills: Set<String>

    open fun canWork(ward: String): Boolean = ward in skills

    override fun toString() = "$name ($id)"
}

class Permanent(id: String, name: String, val weeklyHours: Int, override val skills: Set<String>) : Employee(id, name)

/** Sent and paid by an agency. */
class Temp(id: String, name: String, val agency: String, override val skills: Set<String>) : Employee(id, name)

/** Works where the mentor works. */
class Trainee(id: String, name: String, val mentor: Employee) : Employee(id, name) {

    override val skills: Set<String>
        get() = mentor.skills
}
