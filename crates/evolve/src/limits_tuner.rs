//! Do candidates that were stopped run for ever, or does the program just do more than most? One that boots a database, starts an
//! engine or reads tables of its own in each candidate needs wider limits. Each limit is widened once, and
//! taken back if as many are stopped as before.

use policy::LimitsTuning;
use recipe::{End, Limit, Limits};

/// Tunes the limits of steps and time to what the program needs.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LimitsTuner {
    policy: LimitsTuning,
    seen: u64,
    steps: Need,
    time: Need,
}

/// One limit.
#[derive(Clone, Copy, Debug, Default)]
struct Need {
    stopped: u64,
    state: State,
    /// Most candidates are stopped.
    is_rule: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Usual,
    /// Widened after so many candidates, of which so many had been stopped, to see whether it helps.
    Tried { seen: u64, stopped: u64 },
    /// It does.
    Wide,
    /// It does not: what is stopped runs for ever.
    GivenUp,
}

impl LimitsTuner {
    /// Takes note of how a candidate ended. Where runs have to be alike (`minds_time` is false), wall-clock time is ignored.
    pub(crate) fn note(&mut self, end: &End, minds_time: bool) {
        self.seen += 1;
        self.steps.stopped += u64::from(*end == End::Stopped(Limit::Steps));
        self.time.stopped += u64::from(minds_time && *end == End::Stopped(Limit::Time));
    }

    /// After a round, all of which ran within the same limits: true if from now on a limit is another.
    pub(crate) fn decide(&mut self) -> bool {
        let steps = self.steps.decide(self.seen, self.policy.enough_for_steps, &self.policy);
        let time = self.time.decide(self.seen, self.policy.enough_for_time, &self.policy);
        steps || time
    }

    /// Whether candidates may take long.
    pub(crate) fn is_time(&self) -> bool {
        self.time.is_more() || self.steps.is_rule
    }

    pub(crate) fn widen(self, limits: &mut Limits) {
        // More time is of no use without the steps to fill it, and many steps take more time.
        limits.steps *= match self.steps.is_more() || self.time.is_more() {
            true if self.steps.is_rule => self.policy.any_steps,
            true => self.policy.more_steps,
            false => 1,
        };
        limits.time *= if self.is_time() { self.policy.more_time } else { 1 };
    }
}

impl Need {
    fn is_more(&self) -> bool {
        matches!(self.state, State::Tried { .. } | State::Wide)
    }

    /// True if the limit changes.
    fn decide(&mut self, seen: u64, enough: u64, policy: &LimitsTuning) -> bool {
        let next = match self.state {
            State::Usual => self.widened(seen, enough, policy),
            State::Tried { seen: before, stopped: had } => {
                self.judged(seen - before, self.stopped - had, (had, before), policy)
            }
            settled => settled,
        };
        let was = std::mem::replace(&mut self.state, next);
        was == State::Usual && next != State::Usual || next == State::GivenUp && was != State::GivenUp
    }

    fn widened(&mut self, seen: u64, enough: u64, policy: &LimitsTuning) -> State {
        let is_habit = seen >= enough && self.stopped >= policy.few && self.stopped * policy.share > seen;
        self.is_rule = self.stopped >= policy.rule && 2 * self.stopped > seen;
        if is_habit || self.is_rule { State::Tried { seen, stopped: self.stopped } } else { State::Usual }
    }

    /// Whether fewer are stopped than before, by half at least; known when there were enough of them, or enough candidates.
    fn judged(&mut self, seen: u64, stopped: u64, (had, before): (u64, u64), policy: &LimitsTuning) -> State {
        let is_no_better = 2 * stopped * before > had * seen;
        match () {
            () if stopped >= policy.few && is_no_better => {
                self.is_rule = false;
                State::GivenUp
            }
            () if seen >= policy.trial => State::Wide,
            () => self.state,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rounds of twenty candidates, of which every so many are stopped; the number of changes.
    fn changes(tuner: &mut LimitsTuner, limit: Limit, every: u64, rounds: u64) -> usize {
        let end = |at: u64| if at.is_multiple_of(every) { End::Stopped(limit) } else { End::Completed };
        let round = |tuner: &mut LimitsTuner| {
            let first = tuner.seen;
            (first..first + 20).for_each(|at| tuner.note(&end(at), true));
            tuner.decide()
        };
        (0..rounds).filter(|_| round(tuner)).count()
    }

    #[test]
    fn accidents_do_not_widen_the_limits_and_habits_do() {
        let mut tuner = LimitsTuner::default();
        assert_eq!(changes(&mut tuner, Limit::Steps, 50, 100), 0);
        assert_eq!(widened_limits(tuner), Limits::default());
        let mut tuner = LimitsTuner::default();
        assert_eq!(changes(&mut tuner, Limit::Steps, 10, 20), 1);
        assert_eq!(changes(&mut tuner, Limit::Steps, 1000, 50), 0, "it helped");
        assert_eq!(widened_limits(tuner).steps, LimitsTuning::STANDARD.more_steps * Limits::default().steps);
        assert_eq!(widened_limits(tuner).time, Limits::default().time);
    }

    #[test]
    fn a_program_that_never_gets_started_is_seen_soon() {
        let mut tuner = LimitsTuner::default();
        assert_eq!(changes(&mut tuner, Limit::Steps, 1, 1), 1);
        assert_eq!(widened_limits(tuner).steps, LimitsTuning::STANDARD.any_steps * Limits::default().steps);
        assert_eq!(widened_limits(tuner).time, LimitsTuning::STANDARD.more_time * Limits::default().time);
    }

    #[test]
    fn what_hangs_all_the_same_is_not_given_more() {
        let mut tuner = LimitsTuner::default();
        assert_eq!(changes(&mut tuner, Limit::Time, 10, 2), 1);
        assert!(widened_limits(tuner).time > Limits::default().time);
        assert_eq!(changes(&mut tuner, Limit::Time, 10, 50), 1, "taken back");
        assert_eq!(widened_limits(tuner), Limits::default());
    }

    #[test]
    fn where_runs_have_to_be_alike_wall_clock_time_is_ignored() {
        let mut tuner = LimitsTuner::default();
        (0..100).for_each(|_| tuner.note(&End::Stopped(Limit::Time), false));
        assert!(!tuner.decide());
    }

    fn widened_limits(tuner: LimitsTuner) -> Limits {
        let mut limits = Limits::default();
        tuner.widen(&mut limits);
        limits
    }
}
