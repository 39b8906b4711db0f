package org.lindenhof.clinic.repository;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.lindenhof.clinic.domain.Treatment;

/** Treatments by chapter and code. */
public class TreatmentCatalog {

    private final Map<String, Map<String, Treatment>> chapters = new HashMap<>();

    public TreatmentCatalog add(Treatment treatment) {
        chapters.computeIfAbsent(treatment.chapter(), c -> new HashMap<>()).put(treatment.code(), treatment);
        return this;
    }

    public Optional<Treatment> find(String code) {
        return Optional.ofNullable(code)
                .filter(c -> c.contains("."))
                .map(c -> chapters.get(c.substring(0, c.indexOf('.'))))
                .map(chapter -> chapter.get(code));
    }

    public static TreatmentCatalog standard() {
        return new TreatmentCatalog()
                .add(new Treatment("01.1", "consultation", 15, 90))
                .add(new Treatment("01.2", "home visit", 60, 400))
                .add(new Treatment("18.3", "x-ray of the hand", 30, 260))
                .add(new Treatment("33.4", "ultrasound", 45, 310));
    }
}
