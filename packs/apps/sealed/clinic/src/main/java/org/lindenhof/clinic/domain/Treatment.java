package org.lindenhof.clinic.domain;

public record Treatment(String code, String title, int minutes, int points) {

    /** Codes are written chapter.number. */
    public String chapter() {
        return code.substring(0, code.indexOf('.'));
    }
}
