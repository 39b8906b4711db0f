package nz.orchard.harvest.io;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import nz.orchard.harvest.domain.Bin;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;

/** The sheet of the scales: day,block,team,picker,kg,minutes,grade. */
public class Sheet {

    private static final CSVFormat FORMAT =
            CSVFormat.DEFAULT.builder().setHeader().setSkipHeaderRecord(true).setTrim(true).get();

    private final BinReader bins;

    public Sheet(BinReader bins) {
        this.bins = bins;
    }

    public List<Bin> load(Path file) {
        try (Reader in = Files.newBufferedReader(file)) {
            return read(in);
        } catch (IOException e) {
            throw new SheetException(file + " cannot be read", e);
        }
    }

    public List<Bin> read(Reader in) throws IOException {
        try (CSVParser parser = CSVParser.parse(in, FORMAT)) {
            return parser.stream().map(bins::read).toList();
        }
    }
}
