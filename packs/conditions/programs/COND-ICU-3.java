package com.example.client;

import com.ibm.icu.text.SimpleDateFormat;
import com.ibm.icu.util.TimeZone;
import com.ibm.icu.util.ULocale;

class Job {
    static void execute() throws Exception {
        SimpleDateFormat f = new SimpleDateFormat("eMB", ULocale.ENGLISH);
        f.setTimeZone(TimeZone.GMT_ZONE);
        System.out.println(f.parse("51at night"));
    }

    public static void main(String[] args) throws Exception {
        execute();
    }
}
