package org.gridworks.meter.io;

import com.google.gson.Gson;
import com.google.gson.reflect.TypeToken;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.gridworks.meter.domain.Meter;
import org.gridworks.meter.domain.MeterPark;

public class MeterFile {

    private final Gson gson = new Gson();

    public MeterPark load(Path file) {
        try (Reader reader = Files.newBufferedReader(file)) {
            List<Meter> meters = gson.fromJson(reader, new TypeToken<List<Meter>>() { }.getType());
            return new MeterPark(meters);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
