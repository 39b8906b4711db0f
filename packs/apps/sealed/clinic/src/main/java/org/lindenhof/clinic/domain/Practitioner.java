package org.lindenhof.clinic.domain;

import java.util.Set;

/** Somebody who treats patients, here or in a practice of their own. */
public record Practitioner(String id, String name, Set<String> chapters, Practice practice) {

    public Practitioner {
        chapters = chapters == null ? Set.of() : Set.copyOf(chapters);
    }

    public boolean isInHouse() {
        return practice == null;
    }

    public boolean treats(String chapter) {
        return chapters.contains(chapter);
    }
}
