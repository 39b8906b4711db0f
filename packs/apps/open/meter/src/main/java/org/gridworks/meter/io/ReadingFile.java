package org.gridworks.meter.io;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.gridworks.meter.domain.Reading;

public class ReadingFile {

    private final ReadingParser parser;

    public ReadingFile(ReadingParser parser) {
        this.parser = parser;
    }

    public List<Reading> load(Path file) {
        List<Reading> readings = new ArrayList<>();
        try (BufferedReader reader = Files.newBufferedReader(file)) {
            int number = 0;
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                number++;
                if (number > 1 && !line.isBlank()) {
                    readings.add(parse(file.getFileName() + ":" + number, line));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return readings;
    }

    private Reading parse(String where, String line) {
        try {
            return parser.parse(line);
        } catch (RuntimeException e) {
            throw new ImportException(where + " cannot be read", e);
        }
    }
}
