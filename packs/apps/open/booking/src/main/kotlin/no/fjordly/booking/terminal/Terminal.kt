package no.fjordly.booking.terminal

import org.slf4j.LoggerFactory
import java.io.BufferedReader

class Terminal(private val commands: Map<String, (List<String>) -> String>) {

    private val log = LoggerFactory.getLogger(Terminal::class.java)

    fun run(input: BufferedReader) {
        input.lineSequence().filter { it.isNotBlank() }.forEach { execute(it) }
    }

    private fun execute(line: String) {
        val words = line.trim().split(" ")
        val command = commands[words.first()]
        if (command == null) {
            log.warn("unknown command: {}", words.first())
            return
        }
        try {
            log.info("{} -> {}", line, command(words.drop(1)))
        } catch (e: RuntimeException) {
            log.error("{} failed", line, e)
        }
    }
}
