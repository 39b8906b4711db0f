//! Do candidates that were stopped run for ever, or does the program just do more than most? One that boots a database, starts an
//! engine or reads tables of its own in each candidate needs wider limits; each limit is widened once.

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

/// More than one in so many candidates is no accident: random candidates of small libraries loop less often.
const SHARE: u64 = 33;
/// If most are stopped, so many are enough to tell: what they all need may be an initialiser, and each costs a VM.
const RULE: u64 = 6;
/// Candidates after which the share of those without steps, or without time, is known well enough. Time is dearer: a VM each.
const ENOUGH_FOR_STEPS: u64 = 400;
const ENOUGH_FOR_TIME: u64 = 40;
/// What an engine takes to start is some ten times what a candidate may take; if nothing starts at all, only time is to decide.
const MORE_STEPS: u64 = 25;
const ANY_STEPS: u64 = 1000;
const MORE_TIME: u32 = 6;

impl Needs {
    /// Takes note of how a candidate ended; true if from now on a limit is wider. Where runs have to be alike (`minds_time` is
    /// false), the clock has no say.
    pub(crate) fn learn(&mut self, end: &End, minds_time: bool) -> bool {
        self.seen += 1;
        let steps = self.steps.learn(*end == End::Stopped(Limit::Steps), self.seen, ENOUGH_FOR_STEPS);
        let late = minds_time && *end == End::Stopped(Limit::Time);
        let time = self.time.learn(late, self.seen, ENOUGH_FOR_TIME);
        steps || time
    }

    /// Whether candidates may take long.
    pub(crate) fn is_time(&self) -> bool {
        self.time.is_more || self.steps.is_rule
    }

    pub(crate) fn widen(self, limits: &mut Limits) {
        // More time is of no use without the steps to fill it, and many steps take more time.
        limits.steps *= match self.steps.is_more || self.time.is_more {
            true if self.steps.is_rule => ANY_STEPS,
            true => MORE_STEPS,
            false => 1,
        };
        limits.time *= if self.is_time() { MORE_TIME } else { 1 };
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
            (1..=count).filter(|at| needs.learn(&end(*at), true)).count()
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
        assert_eq!(ends.filter(|end| needs.learn(end, true)).count(), 1);
        assert!(widened_limits(needs).time > Limits::default().time);
    }

    #[test]
    fn a_program_that_never_gets_started_is_seen_soon() {
        let mut needs = Needs::default();
        assert_eq!((0..10).position(|_| needs.learn(&End::Stopped(Limit::Steps), true)), Some(5));
        assert_eq!(widened_limits(needs).steps, ANY_STEPS * Limits::default().steps);
        assert_eq!(widened_limits(needs).time, MORE_TIME * Limits::default().time);
    }

    #[test]
    fn where_runs_have_to_be_alike_the_clock_has_no_say() {
        let mut needs = Needs::default();
        assert!((0..100).all(|_| !needs.learn(&End::Stopped(Limit::Time), false)));
    }

    fn widened_limits(needs: Needs) -> Limits {
        let mut limits = Limits::default();
        needs.widen(&mut limits);
        limits
    }
}
