package io.brightdesk.domain;

import java.util.ArrayList;
import java.util.List;

public class Team {

    private String name;
    private WorkCalendar calendar = new WorkCalendar();
    private List<Agent> agents = new ArrayList<>();

    public String getName() {
        return name;
    }

    public void setName(String name) {
        this.name = name;
    }

    public WorkCalendar getCalendar() {
        return calendar;
    }

    public void setCalendar(WorkCalendar calendar) {
        this.calendar = calendar;
    }

    public List<Agent> getAgents() {
        return agents;
    }

    public void setAgents(List<Agent> agents) {
        this.agents = agents;
    }
}
