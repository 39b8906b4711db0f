package io.viaduct.tolls.message;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.Map;

/** What arrives in the queue. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Message.GantryInstalled.class, name = "gantry"),
    @JsonSubTypes.Type(value = Message.TagIssued.class, name = "tag"),
    @JsonSubTypes.Type(value = Message.Passed.class, name = "passage"),
    @JsonSubTypes.Type(value = Message.MonthEnded.class, name = "month")
})
@JsonIgnoreProperties(ignoreUnknown = true)
public sealed interface Message {

    record GantryInstalled(String road, int number, String zone, int cents) implements Message {
    }

    record TagIssued(String tag, String account, String vehicle) implements Message {
    }

    record Passed(String tag, String gantry, String at, Map<String, String> details) implements Message {
    }

    record MonthEnded(String account, String month) implements Message {
    }
}
