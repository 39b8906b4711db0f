package throwing;

import java.util.Vector;

/** What a test has to do to it, among much that it could do. */
public class Shelf {
    private final Vector<Item> items = new Vector<>();
    private String owner;
    private String place;
    private int width;
    private boolean open;

    public void setOwner(String owner) {
        this.owner = owner;
    }

    public void setPlace(String place) {
        this.place = place;
    }

    public void setWidth(int width) {
        this.width = width;
    }

    public void setOpen(boolean open) {
        this.open = open;
    }

    public void put(Item item) {
        items.addElement(item);
    }

    public int labels() {
        if (owner != null || place != null || open || width > 3) {
            return 0;
        }
        return items.elementAt(0).label.length(); // needed
    }

    public int named(String name) {
        check(name); // passed by
        return place.length(); // taught
    }

    private static void check(String name) {
        if (!name.equals("mine")) {
            throw new IllegalArgumentException(name); // refused
        }
    }

    public static class Item {
        String label;
    }
}
