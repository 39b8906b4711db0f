package nz.orchard.harvest.domain;

import java.time.LocalDate;
import java.util.Objects;

/** A bin of fruit as it was weighed in. */
public final class Bin {

    private final LocalDate day;
    private final BlockCode block;
    private final String team;
    private final String picker;
    private final int kg;
    private final int minutes;
    private final Grade grade;

    private Bin(Builder builder) {
        day = Objects.requireNonNull(builder.day, "day");
        block = Objects.requireNonNull(builder.block, "block");
        team = Objects.requireNonNull(builder.team, "team");
        picker = Objects.requireNonNull(builder.picker, "picker");
        kg = builder.kg;
        minutes = builder.minutes;
        grade = builder.grade;
    }

    public static Builder on(LocalDate day) {
        return new Builder(day);
    }

    public LocalDate day() {
        return day;
    }

    public BlockCode block() {
        return block;
    }

    public String team() {
        return team;
    }

    public String picker() {
        return picker;
    }

    public int kg() {
        return kg;
    }

    public int minutes() {
        return minutes;
    }

    public Grade grade() {
        return grade;
    }

    public static final class Builder {

        private final LocalDate day;
        private BlockCode block;
        private String team;
        private String picker;
        private int kg;
        private int minutes;
        private Grade grade = new Grade.Class1();

        private Builder(LocalDate day) {
            this.day = day;
        }

        public Builder from(BlockCode value) {
            block = value;
            return this;
        }

        public Builder by(String teamName, String pickerName) {
            team = teamName;
            picker = pickerName;
            return this;
        }

        public Builder weighing(int value) {
            kg = value;
            return this;
        }

        public Builder taking(int value) {
            minutes = value;
            return this;
        }

        public Builder graded(Grade value) {
            grade = value;
            return this;
        }

        public Bin build() {
            if (kg <= 0) {
                throw new IllegalArgumentException("a bin weighs more than " + kg + " kg");
            }
            return new Bin(this);
        }
    }
}
