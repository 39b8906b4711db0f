package dk.havn.roster.domain

import java.time.LocalDate
import java.time.temporal.IsoFields

data class Week(val year: Int, val number: Int) : Comparable<Week> {

    override fun compareTo(other: Week): Int = compareValuesBy(this, other, Week::year, Week::number)

    override fun toString() = "$year-W${number.toString().padStart(2, '0')}"

    companion object {

        fun of(day: LocalDate) = Week(day.get(IsoFields.WEEK_BASED_YEAR), day.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR))

        fun parse(text: String): Week {
            val (year, number) = text.split("-W")
            return Week(year.toInt(), number.toInt())
        }
    }
}
