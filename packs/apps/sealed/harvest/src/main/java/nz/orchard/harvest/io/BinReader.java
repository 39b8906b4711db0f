package nz.orchard.harvest.io;

import java.time.LocalDate;
import nz.orchard.harvest.domain.Bin;
import nz.orchard.harvest.domain.BlockCode;
import nz.orchard.harvest.domain.Grade;
import org.apache.commons.csv.CSVRecord;

/** Makes bins of rows. */
public class BinReader {

    public Bin read(CSVRecord row) {
        return Bin.on(LocalDate.parse(row.get("day")))
                .from(BlockCode.parse(row.get("block")))
                .by(row.get("team"), row.get("picker"))
                .weighing(Integer.parseInt(row.get("kg")))
                .taking(Integer.parseInt(row.get("minutes")))
                .graded(Grade.parse(row.get("grade")))
                .build();
    }
}
