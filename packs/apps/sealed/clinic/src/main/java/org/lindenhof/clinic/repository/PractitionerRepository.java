package org.lindenhof.clinic.repository;

import java.util.Map;
import java.util.TreeMap;
import org.lindenhof.clinic.domain.Practitioner;
import org.lindenhof.clinic.service.ClinicException;

public class PractitionerRepository {

    private final Map<String, Practitioner> byId = new TreeMap<>();

    public synchronized void save(Practitioner practitioner) {
        byId.put(practitioner.id(), practitioner);
    }

    public synchronized Practitioner get(String id) {
        Practitioner practitioner = byId.get(id);
        if (practitioner == null) {
            throw new ClinicException(404, "no practitioner " + id);
        }
        return practitioner;
    }
}
