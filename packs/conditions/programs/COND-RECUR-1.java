package com.example.client;

import org.dmfs.rfc5545.DateTime;

class Job {
    static void execute() throws Exception {
        System.out.println(DateTime.parse("20200101T000Z00Z"));
    }

    public static void main(String[] args) throws Exception {
        execute();
    }
}
