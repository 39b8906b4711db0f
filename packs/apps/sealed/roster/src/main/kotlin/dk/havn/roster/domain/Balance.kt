package dk.havn.roster.domain

data class Balance(val employee: String, val worked: Int, val owed: Int) {

    val overtime: Int
        get() = maxOf(0, worked - owed)
}
