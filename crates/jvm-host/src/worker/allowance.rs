//! How long may a candidate take? Decided from what its thread has done so far, by processor time and by the clock on the wall;
//! nothing here looks at a thread or at a clock.

use std::time::Duration;

/// How long a candidate may work at least while a static initialiser runs: one that is cut short leaves its class unusable.
pub(super) const INITIALISER_LIMIT: Duration = Duration::from_millis(2500);
/// The same in a young worker, which spends most of its time on loading classes.
const YOUNG_LIMIT: Duration = Duration::from_millis(750);
/// Processor time of the candidates' thread until its worker is no longer young. Not by the clock on the wall: a spare worker
/// may have waited for long before its first candidate, and loads its classes only then.
const YOUTH: Duration = Duration::from_secs(1);

/// A candidate that waits is given longer than one that works, and one that only waits for the processor still longer: the
/// machine may be busy.
const WAITING_FACTOR: u32 = 4;
const STARVING_FACTOR: u32 = 12;

/// What is known of the thread of a candidate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spent {
    /// Processor time of the thread in all its life.
    pub(super) ever: Duration,
    /// Processor time of this candidate.
    pub(super) worked: Duration,
    /// Since the candidate began, by the clock on the wall.
    pub(super) elapsed: Duration,
    /// It executes bytecode or could do so at once.
    pub(super) runs_java: bool,
}

impl Spent {
    /// Whether it has had more than its limit.
    pub(super) fn is_over(&self, limit: Duration) -> bool {
        self.worked > limit || self.elapsed > self.clock_limit(limit)
    }

    /// The limit with what is given in addition.
    pub(super) fn extended(&self, limit: Duration, is_initialising: bool) -> Duration {
        match () {
            () if is_initialising => limit.max(INITIALISER_LIMIT),
            () if self.ever < YOUTH => limit.max(YOUNG_LIMIT),
            () => limit,
        }
    }

    /// Inside the VM, where classes are loaded, waiting and starving look alike from outside; but who waits does not work.
    fn clock_limit(&self, limit: Duration) -> Duration {
        if self.runs_java { limit * STARVING_FACTOR } else { limit * WAITING_FACTOR + self.worked * STARVING_FACTOR }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: Duration = Duration::from_millis(250);

    fn spent(ever: u64, worked: u64, elapsed: u64, runs_java: bool) -> Spent {
        let [ever, worked, elapsed] = [ever, worked, elapsed].map(Duration::from_millis);
        Spent { ever, worked, elapsed, runs_java }
    }

    #[test]
    fn work_and_waiting_have_limits_of_their_own() {
        let cases = [
            ("it works", spent(9000, 240, 240, true), false),
            ("it worked for too long", spent(9000, 260, 260, true), true),
            ("it waits for something", spent(9000, 0, 900, false), false),
            ("it waited for too long", spent(9000, 0, 1100, false), true),
            ("it waits for the processor", spent(9000, 100, 2900, true), false),
            ("it waited for the processor for too long", spent(9000, 100, 3100, true), true),
            ("a busy machine, while it loads classes", spent(9000, 100, 2000, false), false),
            ("it worked and then waited for too long", spent(9000, 100, 2300, false), true),
        ];
        for (what, spent, is_over) in cases {
            assert_eq!(spent.is_over(LIMIT), is_over, "{what}");
        }
    }

    #[test]
    fn who_has_not_worked_much_is_young_however_long_it_has_waited() {
        assert_eq!(spent(300, 260, 60_000, true).extended(LIMIT, false), YOUNG_LIMIT);
        assert_eq!(spent(1500, 260, 260, true).extended(LIMIT, false), LIMIT);
        assert_eq!(spent(1500, 260, 260, true).extended(LIMIT, true), INITIALISER_LIMIT);
        let patient = Duration::from_secs(9);
        assert_eq!(spent(300, 260, 260, true).extended(patient, true), patient);
    }
}
