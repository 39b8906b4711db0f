package io.brightdesk.repository;

import io.brightdesk.domain.Team;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.stereotype.Repository;

@Repository
public class TeamRepository {

    private final Map<String, Team> teams = new ConcurrentHashMap<>();

    public void save(Team team) {
        teams.put(team.getName(), team);
    }

    public Optional<Team> findByMember(String login) {
        return teams.values().stream()
                .filter(team -> team.getAgents().stream().anyMatch(agent -> agent.getLogin().equals(login)))
                .findFirst();
    }
}
