package museum;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The program in the field: it makes the parts, and is not on the class path of the search. */
public final class Field {

    private Field() {
    }

    public static void main(String[] args) throws IOException {
        Paintings paintings = new Paintings();
        Wings wings = new Wings();
        Desk desk = new Desk(new Loans(paintings, wings), new Insurance(), paintings);
        switch (args[0]) {
            case "keeper" -> {
                Wing wing = new Wing();
                wing.setKeepers(List.of("ruth"));
                wing.setClosing(new ClosingDays());
                wing.getClosing().setOthers(List.of("6 Apr"));
                wings.add(wing);
                Painting painting = new Painting();
                painting.setKeeper("ruth");
                desk.receive(painting);
                desk.back("OIL-1");
            }
            case "cover" -> {
                Painting painting = new Painting();
                painting.setDetails(Map.of("policy", Map.of("cover", Map.of("default", 12.5))));
                desk.receive(painting);
                desk.cover("OIL-1");
            }
            case "ledger" -> {
                Path file = Files.createTempDirectory("museum").resolve("spring.csv");
                Files.writeString(file, "title;price\nSea;12\nMill;7.5\nBoats;n/a\nField;1\n");
                new Ledger().total(file);
            }
            default -> throw new IllegalArgumentException(args[0]);
        }
    }
}
