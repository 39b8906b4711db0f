package pl.magazyn.depot.app;

import java.util.List;

@FunctionalInterface
public interface Command {

    String run(List<String> args);
}
