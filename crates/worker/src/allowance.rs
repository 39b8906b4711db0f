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
const BLOCKED_FACTOR: u32 = 2;
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
    pub(super) does: Does,
}

/// What the thread is seen at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Does {
    /// It executes bytecode or could do so at once.
    Runs,
    /// It waits for a time of its own choice, and would only do so again.
    Sleeps,
    /// It waits for another thread, without a limit of time.
    Blocks,
    /// It waits for something else, or is inside the VM.
    Waits,
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
            // Who waits for another thread does not load classes.
            () if self.ever < YOUTH && self.does != Does::Blocks => limit.max(YOUNG_LIMIT),
            () => limit,
        }
    }

    /// Inside the VM, where classes are loaded, waiting and starving look alike from outside; but who waits does not work.
    fn clock_limit(&self, limit: Duration) -> Duration {
        match self.does {
            Does::Runs => limit * STARVING_FACTOR,
            Does::Sleeps => limit + self.worked * STARVING_FACTOR,
            Does::Blocks => limit * BLOCKED_FACTOR + self.worked * STARVING_FACTOR,
            Does::Waits => limit * WAITING_FACTOR + self.worked * STARVING_FACTOR,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: Duration = Duration::from_millis(250);

    fn spent(ever: u64, worked: u64, elapsed: u64, does: Does) -> Spent {
        let [ever, worked, elapsed] = [ever, worked, elapsed].map(Duration::from_millis);
        Spent { ever, worked, elapsed, does }
    }

    #[test]
    fn work_and_waiting_have_limits_of_their_own() {
        let cases = [
            ("it works", spent(9000, 240, 240, Does::Runs), false),
            ("it worked for too long", spent(9000, 260, 260, Does::Runs), true),
            ("it waits for something", spent(9000, 0, 900, Does::Waits), false),
            ("it waited for too long", spent(9000, 0, 1100, Does::Waits), true),
            ("it waits for a thread", spent(300, 0, 400, Does::Blocks), false),
            ("it waited for a thread for too long", spent(300, 0, 600, Does::Blocks), true),
            ("it sleeps for a moment", spent(9000, 0, 240, Does::Sleeps), false),
            ("it sleeps for too long", spent(9000, 0, 260, Does::Sleeps), true),
            ("it waits for the processor", spent(9000, 100, 2900, Does::Runs), false),
            ("it waited for the processor for too long", spent(9000, 100, 3100, Does::Runs), true),
            ("a busy machine, while it loads classes", spent(9000, 100, 2000, Does::Waits), false),
            ("it worked and then waited for too long", spent(9000, 100, 2300, Does::Waits), true),
        ];
        for (what, spent, is_over) in cases {
            assert_eq!(spent.is_over(LIMIT), is_over, "{what}");
        }
    }

    #[test]
    fn who_has_not_worked_much_is_young_however_long_it_has_waited() {
        assert_eq!(spent(300, 260, 60_000, Does::Runs).extended(LIMIT, false), YOUNG_LIMIT);
        assert_eq!(spent(1500, 260, 260, Does::Runs).extended(LIMIT, false), LIMIT);
        assert_eq!(spent(1500, 260, 260, Does::Runs).extended(LIMIT, true), INITIALISER_LIMIT);
        let patient = Duration::from_secs(9);
        assert_eq!(spent(300, 260, 260, Does::Runs).extended(patient, true), patient);
    }
}
