package de.kontor.bank.batch;

import java.time.LocalDate;
import java.util.List;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

public class JobRunner {

    private static final Logger LOG = LogManager.getLogger(JobRunner.class);

    private final List<Job> jobs;

    public JobRunner(List<Job> jobs) {
        this.jobs = jobs;
    }

    /** Runs every job, whatever happens to the others; how many failed. */
    public int runAll(LocalDate day) {
        int failed = 0;
        for (Job job : jobs) {
            try {
                LOG.info("{} {}: {}", day, job.name(), job.run(day));
            } catch (RuntimeException e) {
                LOG.error("{} {} failed", day, job.name(), e);
                failed++;
            }
        }
        return failed;
    }
}
