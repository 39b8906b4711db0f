package com.example.client;

import com.moandjiezana.toml.Toml;

class Job {
    static void execute() throws Exception {
        System.out.println(new Toml().read("title = \"\"\"").getString("title"));
    }

    public static void main(String[] args) throws Exception {
        execute();
    }
}
