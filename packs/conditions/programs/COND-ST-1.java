package com.example.client;

import org.stringtemplate.v4.ST;

class Job {
    static void execute() throws Exception {
        System.out.println(new ST("hello <@who()>!").render());
    }

    public static void main(String[] args) throws Exception {
        execute();
    }
}
