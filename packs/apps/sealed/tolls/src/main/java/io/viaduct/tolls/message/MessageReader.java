package io.viaduct.tolls.message;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;

public class MessageReader {

    private final ObjectMapper mapper = new ObjectMapper();

    public Message read(String json) {
        try {
            return mapper.readValue(json, Message.class);
        } catch (JsonProcessingException e) {
            throw new RejectedException("not a message: " + json, e);
        }
    }
}
