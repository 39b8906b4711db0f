package museum;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Lines with a title and a price in a file; the first one has the names. */
public class Ledger {

    public double total(Path file) {
        double sum = 0;
        try (BufferedReader reader = Files.newBufferedReader(file)) {
            int number = 0;
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                number++;
                if (number > 1) {
                    sum += price(file.getFileName() + ":" + number, line);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return sum;
    }

    private double price(String where, String line) {
        try {
            return Double.parseDouble(line.split(";")[1].trim());
        } catch (NumberFormatException e) {
            throw new IllegalStateException(where + " has no price");
        }
    }
}
