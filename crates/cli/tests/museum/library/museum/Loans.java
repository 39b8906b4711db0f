package museum;

import java.time.LocalDate;
import java.util.NoSuchElementException;

public class Loans {
    private final Paintings paintings;
    private final Wings wings;

    public Loans(Paintings paintings, Wings wings) {
        this.paintings = paintings;
        this.wings = wings;
    }

    public Painting get(String code) {
        return paintings.find(code).orElseThrow(() -> new NoSuchElementException(code));
    }

    public LocalDate back(String code, int days) {
        Painting painting = get(code);
        LocalDate day = painting.getDue() == null ? LocalDate.of(2026, 5, 4) : painting.getDue();
        try {
            return open(day.plusDays(days), painting.getKeeper());
        } catch (RuntimeException e) {
            throw new LoanException("no day for " + painting.getCode(), e);
        }
    }

    private LocalDate open(LocalDate day, String person) {
        ClosingDays closing = wings.ofKeeper(person).map(Wing::getClosing).orElseGet(ClosingDays::new);
        return closing.isClosed(day) ? day.plusDays(1) : day;
    }
}
