//! Do candidates that were stopped run for ever, or does the program just do more than most? One that boots a database, starts an
//! engine or reads tables of its own in each candidate needs wider limits; they are widened once.

use recipe::{End, Limit, Limits};

/// How much of each limit the program needs.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Needs {
    seen: u64,
    steps: Need,
    time: Need,
}

/// One limit.
#[derive(Clone, Copy, Debug, Default)]
struct Need {
    stopped: u64,
    is_more: bool,
    /// Most candidates are stopped.
    is_rule: bool,
}

/// More than one in so many candidates is no accident.
const SHARE: u64 = 33;
/// If most are stopped, so many are enough to tell: what they all need may be an initialiser, and each costs a VM.
const RULE: u64 = 6;

impl Needs {
    /// Takes note of how a candidate ended; true if from now on the limits are wider.
    pub(crate) fn learn(&mut self, end: &End) -> bool {
        self.seen += 1;
        let stopped_by = |limit| *end == End::Stopped(limit);
        // Running out of time costs a VM each: a few are enough to tell.
        let steps = self.steps.learn(stopped_by(Limit::Steps), self.seen, 400);
        let time = self.time.learn(stopped_by(Limit::Time), self.seen, 40);
        steps || time
    }

    pub(crate) fn widen(self, limits: &mut Limits) {
        // More time is of no use without the steps to fill it.
        let steps = match self.steps.is_more || self.time.is_more {
            true if self.steps.is_rule => 1000,
            true => 25,
            false => 1,
        };
        // A candidate that is late is first told so by taking its steps away.
        let time = if self.time.is_more || self.steps.is_rule { 6 } else { 1 };
        limits.steps *= steps;
        limits.time *= time;
    }
}

impl Need {
    fn learn(&mut self, stopped: bool, seen: u64, enough: u64) -> bool {
        self.stopped += u64::from(stopped);
        let is_habit = seen >= enough && self.stopped >= 3 && self.stopped * SHARE > seen;
        let is_rule = self.stopped >= RULE && 2 * self.stopped > seen;
        let now = !self.is_more && (is_habit || is_rule);
        self.is_more |= now;
        self.is_rule |= now && is_rule;
        now
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accidents_do_not_widen_the_limits_and_habits_do_once() {
        let mut needs = Needs::default();
        let widened = |needs: &mut Needs, every: u64, count: u64| {
            let end = |at: u64| if at.is_multiple_of(every) { End::Stopped(Limit::Steps) } else { End::Completed };
            (1..=count).filter(|at| needs.learn(&end(*at))).count()
        };
        assert_eq!(widened(&mut needs, 50, 2000), 0);
        assert_eq!(widened_limits(needs), Limits::default());
        assert_eq!(widened(&mut needs, 5, 2000), 1);
        assert_eq!(widened_limits(needs).steps, 25 * Limits::default().steps);
        assert_eq!(widened_limits(needs).time, Limits::default().time);
    }

    #[test]
    fn a_few_hanging_candidates_ask_for_more_time() {
        let mut needs = Needs::default();
        let ends = (0..40).map(|at| if at == 0 || at > 37 { End::Stopped(Limit::Time) } else { End::Completed });
        assert_eq!(ends.filter(|end| needs.learn(end)).count(), 1);
        assert!(widened_limits(needs).time > Limits::default().time);
    }

    #[test]
    fn a_program_that_never_gets_started_is_seen_soon() {
        let mut needs = Needs::default();
        assert_eq!((0..10).position(|_| needs.learn(&End::Stopped(Limit::Steps))), Some(5));
    }

    fn widened_limits(needs: Needs) -> Limits {
        let mut limits = Limits::default();
        needs.widen(&mut limits);
        limits
    }
}
