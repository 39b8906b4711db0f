package com.example.client;

import com.github.difflib.unifieddiff.UnifiedDiffReader;
import java.io.ByteArrayInputStream;

class Job {
    static void execute() throws Exception {
        UnifiedDiffReader.parseUnifiedDiff(new ByteArrayInputStream("diff --git a\n--- a\n+++ b\n".getBytes("UTF-8")));
    }

    public static void main(String[] args) throws Exception {
        execute();
    }
}
