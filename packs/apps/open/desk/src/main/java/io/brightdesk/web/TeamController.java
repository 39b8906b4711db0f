package io.brightdesk.web;

import io.brightdesk.domain.Team;
import io.brightdesk.repository.TeamRepository;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/teams")
public class TeamController {

    private static final Logger LOG = LoggerFactory.getLogger(TeamController.class);

    private final TeamRepository teams;

    public TeamController(TeamRepository teams) {
        this.teams = teams;
    }

    @PostMapping
    public void save(@RequestBody Team team) {
        teams.save(team);
        LOG.info("team {} saved, {} agents", team.getName(), team.getAgents().size());
    }
}
