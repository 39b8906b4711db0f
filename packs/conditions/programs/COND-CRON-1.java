package com.example.client;

import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.parser.CronParser;

class Job {
    static void execute() throws Exception {
        CronParser p = new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.QUARTZ));
        System.out.println(p.parse("0 5 0 * * 6#").asString());
    }

    public static void main(String[] args) throws Exception {
        execute();
    }
}
