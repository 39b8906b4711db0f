package museum;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

public class Wings {
    private final List<Wing> wings = new ArrayList<>();

    public void add(Wing wing) {
        wings.add(wing);
    }

    public Optional<Wing> ofKeeper(String keeper) {
        return wings.stream().filter(wing -> wing.getKeepers().contains(keeper)).findFirst();
    }
}
