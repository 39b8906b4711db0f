package io.brightdesk.domain;

public class Agent {

    private String login;
    private String team;

    public Agent() {
    }

    public Agent(String login, String team) {
        this.login = login;
        this.team = team;
    }

    public String getLogin() {
        return login;
    }

    public void setLogin(String login) {
        this.login = login;
    }

    public String getTeam() {
        return team;
    }

    public void setTeam(String team) {
        this.team = team;
    }
}
