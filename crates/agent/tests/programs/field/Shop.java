package field;

public class Shop {
    private final Prices prices = new Prices();

    public int order(String name, int number) {
        int letters = count(name.replace('-', ' ').trim());
        if (letters > 3) {
            prices.check(name, number);
        } else {
            prices.free(name);
        }
        return prices.of(name) * number;
    }

    public int count(String text) {
        int letters = 0;
        for (int i = 0; i < text.length(); i++) {
            if (Character.isLetter(text.charAt(i))) {
                letters++;
            }
        }
        return letters;
    }

    public int often(String text) {
        int letters = 0;
        for (int i = 0; i < 1000; i++) {
            letters += count(text.replace('t', 'T')) + countParts(text);
        }
        return letters;
    }

    private int countParts(String text) {
        return count(text.toLowerCase()) + count(text);
    }

    public int number(String text) {
        return Integer.parseInt(text.replace('x', '0'));
    }

    public int deep(int depth) {
        return deep(depth + 1) + 1;
    }
}
