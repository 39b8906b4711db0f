package org.gridworks.meter.io;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.gridworks.meter.domain.Tariff;
import org.gridworks.meter.domain.Zone;

/** tariff.name=.., tariff.zones=day,night, and for each zone zone.day.window=6-22, zone.day.price=31.5. */
public class TariffFile {

    public Tariff load(Path file) {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return read(properties);
    }

    public Tariff read(Properties properties) {
        List<Zone> zones = new ArrayList<>();
        for (String name : properties.getProperty("tariff.zones", "all").split(",")) {
            String prefix = "zone." + name.trim() + ".";
            zones.add(new Zone(name.trim(), properties.getProperty(prefix + "window"),
                    Double.parseDouble(properties.getProperty(prefix + "price", "0"))));
        }
        return new Tariff(properties.getProperty("tariff.name", "standard"), zones);
    }
}
