package dk.havn.roster.command

import org.slf4j.LoggerFactory

typealias Action = (List<String>) -> String

/** Runs commands, a line each. */
class Session(private val actions: Map<String, Action>) {

    private val log = LoggerFactory.getLogger(Session::class.java)

    fun run(lines: Sequence<String>) {
        lines.map(String::trim).filter { it.isNotEmpty() && !it.startsWith("#") }.forEach(::execute)
    }

    private fun execute(line: String) {
        val words = line.split(" ")
        val action = actions[words.first()]
        if (action == null) {
            log.warn("unknown command: {}", line)
            return
        }
        try {
            log.info("{}: {}", line, action(words.drop(1)))
        } catch (e: RuntimeException) {
            log.error("{} failed", line, e)
        }
    }
}
