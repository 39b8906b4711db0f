package nz.orchard.harvest.service;

import java.util.Map;
import nz.orchard.harvest.domain.Bin;
import nz.orchard.harvest.domain.Grade;
import nz.orchard.harvest.domain.Variety;

/** Cents for a bin. */
public class Wages {

    private final Map<Variety, Integer> centsPerKg;

    public Wages(Map<Variety, Integer> centsPerKg) {
        this.centsPerKg = Map.copyOf(centsPerKg);
    }

    public static Wages standard() {
        return new Wages(Map.of(Variety.GALA, 12, Variety.FUJI, 14, Variety.BRAEBURN, 11, Variety.JAZZ, 15));
    }

    public int cents(Bin bin) {
        int full = bin.kg() * centsPerKg.getOrDefault(bin.block().variety(), 10);
        return switch (bin.grade()) {
            case Grade.Class1() -> full;
            case Grade.Class2(int blemishes) when blemishes < 20 -> full;
            case Grade.Class2(int blemishes) -> full * (120 - blemishes) / 100;
            case Grade.Juice() -> full / 2;
        };
    }
}
