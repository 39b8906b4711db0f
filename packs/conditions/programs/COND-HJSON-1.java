package com.example.client;

import org.hjson.JsonValue;

class Job {
    static void execute() throws Exception {
        System.out.println(JsonValue.readHjson("{a: ''''''\n}"));
    }

    public static void main(String[] args) throws Exception {
        execute();
    }
}
