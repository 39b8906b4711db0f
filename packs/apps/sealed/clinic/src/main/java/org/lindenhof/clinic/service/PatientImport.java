package org.lindenhof.clinic.service;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.logging.Logger;
import org.lindenhof.clinic.domain.Patient;
import org.lindenhof.clinic.repository.PatientRepository;

public class PatientImport {

    private static final Logger LOG = Logger.getLogger(PatientImport.class.getName());

    private final PatientRepository patients;
    private final ObjectMapper mapper;

    public PatientImport(PatientRepository patients, ObjectMapper mapper) {
        this.patients = patients;
        this.mapper = mapper;
    }

    /** {"source": .., "patients": [..]} */
    public int importBatch(String json) {
        JsonNode batch = tree(json);
        String source = batch.path("source").asText("unknown");
        int n = 0;
        for (JsonNode node : batch.path("patients")) {
            n++;
            PatientDocument document = document(node, source, n);
            patients.save(patient(document));
            LOG.info("patient " + document.id() + " from " + source);
        }
        return n;
    }

    private JsonNode tree(String json) {
        try {
            return mapper.readTree(json);
        } catch (JsonProcessingException e) {
            throw new ClinicException(400, "not JSON: " + e.getOriginalMessage());
        }
    }

    private PatientDocument document(JsonNode node, String source, int n) {
        try {
            return mapper.treeToValue(node, PatientDocument.class);
        } catch (JsonProcessingException e) {
            throw new ImportException("record " + n + " of " + source + " is not a patient", e);
        }
    }

    private static Patient patient(PatientDocument document) {
        Patient.Builder builder = Patient.withId(document.id())
                .name(document.name())
                .born(document.born())
                .insuredBy(document.insurance());
        if (document.allergies() != null) {
            document.allergies().forEach(builder::allergicTo);
        }
        return builder.build();
    }
}
