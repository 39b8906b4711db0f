package museum;

import java.time.LocalDate;

/** What visitors see; whoever starts the program makes the parts and gives them to each other. */
public class Desk {
    private final Loans loans;
    private final Insurance insurance;
    private final Paintings paintings;

    public Desk(Loans loans, Insurance insurance, Paintings paintings) {
        this.loans = loans;
        this.insurance = insurance;
        this.paintings = paintings;
    }

    public Painting receive(Painting painting) {
        return paintings.save(painting);
    }

    public LocalDate back(String code) {
        return loans.back(code, 7);
    }

    public int cover(String code) {
        return insurance.thousands(loans.get(code));
    }
}
