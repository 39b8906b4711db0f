package nz.orchard.harvest.domain;

public sealed interface Grade {

    record Class1() implements Grade {
    }

    record Class2(int blemishPercent) implements Grade {
    }

    record Juice() implements Grade {
    }

    static Grade parse(String text) {
        return switch (text) {
            case "", "1" -> new Class1();
            case "J" -> new Juice();
            default -> {
                if (text.startsWith("2/")) {
                    yield new Class2(Integer.parseInt(text.substring(2)));
                }
                throw new IllegalArgumentException("unknown grade " + text);
            }
        };
    }
}
