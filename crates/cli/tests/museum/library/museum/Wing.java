package museum;

import java.util.ArrayList;
import java.util.List;

public class Wing {
    private String name;
    private ClosingDays closing = new ClosingDays();
    private List<String> keepers = new ArrayList<>();

    public String getName() {
        return name;
    }

    public void setName(String name) {
        this.name = name;
    }

    public ClosingDays getClosing() {
        return closing;
    }

    public void setClosing(ClosingDays closing) {
        this.closing = closing;
    }

    public List<String> getKeepers() {
        return keepers;
    }

    public void setKeepers(List<String> keepers) {
        this.keepers = keepers;
    }
}
