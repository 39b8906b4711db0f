package com.hanseatica.claims;

import com.hanseatica.claims.intake.ClaimDesk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/** Works off the files that it is called with. */
public final class ClaimsMain {

    private static final Logger LOG = LoggerFactory.getLogger(ClaimsMain.class);

    private ClaimsMain() {
    }

    public static void main(String[] args) throws IOException {
        try (var context = new AnnotationConfigApplicationContext(ClaimsConfiguration.class)) {
            ClaimDesk desk = context.getBean(ClaimDesk.class);
            for (String arg : args) {
                int n = work(desk, Path.of(arg));
                LOG.info("{}: {} lines", arg, n);
            }
        }
    }

    private static int work(ClaimDesk desk, Path file) throws IOException {
        int n = 0;
        for (String line : Files.readAllLines(file)) {
            n++;
            try {
                desk.handle(line);
            } catch (RuntimeException e) {
                LOG.error("{} line {}: {}", file.getFileName(), n, line, e);
            }
        }
        return n;
    }
}
