package dk.havn.roster.domain

enum class ShiftKind(val hours: Int) {
    EARLY(8), LATE(8), NIGHT(10);

    fun before(): ShiftKind? = entries.getOrNull(ordinal - 1)

    fun after(): ShiftKind? = entries.getOrNull(ordinal + 1)
}
