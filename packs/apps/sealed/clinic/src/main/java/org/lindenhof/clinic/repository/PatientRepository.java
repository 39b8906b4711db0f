package org.lindenhof.clinic.repository;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.lindenhof.clinic.domain.Patient;

public class PatientRepository {

    private final Map<String, Patient> byId = new ConcurrentHashMap<>();

    public void save(Patient patient) {
        byId.put(patient.id(), patient);
    }

    public Optional<Patient> find(String id) {
        return Optional.ofNullable(id).map(byId::get);
    }

    public int count() {
        return byId.size();
    }
}
