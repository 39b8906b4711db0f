package org.lindenhof.clinic.service;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.time.LocalDate;
import java.util.List;
import org.lindenhof.clinic.domain.Insurance;

/** A patient as other practices send them. */
@JsonIgnoreProperties(ignoreUnknown = true)
public record PatientDocument(String id, String name, @JsonFormat(pattern = "[uuuu-MM-dd][dd.MM.uuuu]") LocalDate born,
        Insurance insurance, List<String> allergies) {
}
