package nz.orchard.harvest.cli;

import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** COMMAND [--day DAY] FILE.. */
public record Options(String command, Optional<LocalDate> day, List<Path> files) {

    public static Options parse(String... args) {
        if (args.length == 0) {
            throw new UsageException("no command");
        }
        Optional<LocalDate> day = Optional.empty();
        List<Path> files = new ArrayList<>();
        for (int i = 1; i < args.length; i++) {
            if (!args[i].equals("--day")) {
                files.add(Path.of(args[i]));
            } else if (++i < args.length) {
                day = Optional.of(LocalDate.parse(args[i]));
            } else {
                throw new UsageException("--day needs a day");
            }
        }
        return new Options(args[0], day, List.copyOf(files));
    }
}
