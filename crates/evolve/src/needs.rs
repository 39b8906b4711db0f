//! Do candidates that were stopped run for ever, or does the program just do more than most? One that boots a database, starts an
//! engine or reads tables of its own in each candidate needs wider limits. Each limit is widened once, and
//! taken back if as many are stopped as before.

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
/// So many stopped candidates tell something.
const FEW: u64 = 3;
/// Candidates after which wider limits have shown that they help.
const TRIAL: u64 = 100;

impl Needs {
    /// Takes note of how a candidate ended. Where runs have to be alike (`minds_time` is false), the clock has no say.
    pub(crate) fn note(&mut self, end: &End, minds_time: bool) {
        self.seen += 1;
        self.steps.stopped += u64::from(*end == End::Stopped(Limit::Steps));
        self.time.stopped += u64::from(minds_time && *end == End::Stopped(Limit::Time));
    }

    /// After a round, all of which ran within the same limits: true if from now on a limit is another.
    pub(crate) fn decide(&mut self) -> bool {
        let steps = self.steps.decide(self.seen, ENOUGH_FOR_STEPS);
        let time = self.time.decide(self.seen, ENOUGH_FOR_TIME);
        steps || time
    }

    /// Whether candidates may take long.
    pub(crate) fn is_time(&self) -> bool {
        self.time.is_more() || self.steps.is_rule
    }

    pub(crate) fn widen(self, limits: &mut Limits) {
        // More time is of no use without the steps to fill it, and many steps take more time.
        limits.steps *= match self.steps.is_more() || self.time.is_more() {
            true if self.steps.is_rule => ANY_STEPS,
            true => MORE_STEPS,
            false => 1,
        };
        limits.time *= if self.is_time() { MORE_TIME } else { 1 };
    }
}

impl Need {
    fn is_more(&self) -> bool {
        matches!(self.state, State::Tried { .. } | State::Wide)
    }

    /// True if the limit changes.
    fn decide(&mut self, seen: u64, enough: u64) -> bool {
        let next = match self.state {
            State::Usual => self.widened(seen, enough),
            State::Tried { seen: before, stopped: had } => {
                self.judged(seen - before, self.stopped - had, (had, before))
            }
            settled => settled,
        };
        let was = std::mem::replace(&mut self.state, next);
        was == State::Usual && next != State::Usual || next == State::GivenUp && was != State::GivenUp
    }

    fn widened(&mut self, seen: u64, enough: u64) -> State {
        let is_habit = seen >= enough && self.stopped >= FEW && self.stopped * SHARE > seen;
        self.is_rule = self.stopped >= RULE && 2 * self.stopped > seen;
        if is_habit || self.is_rule { State::Tried { seen, stopped: self.stopped } } else { State::Usual }
    }

    /// Whether fewer are stopped than before, by half at least; known when there were enough of them, or enough candidates.
    fn judged(&mut self, seen: u64, stopped: u64, (had, before): (u64, u64)) -> State {
        let is_no_better = 2 * stopped * before > had * seen;
        match () {
            () if stopped >= FEW && is_no_better => {
                self.is_rule = false;
                State::GivenUp
            }
            () if seen >= TRIAL => State::Wide,
            () => self.state,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rounds of twenty candidates, of which every so many are stopped; the number of changes.
    fn changes(needs: &mut Needs, limit: Limit, every: u64, rounds: u64) -> usize {
        let end = |at: u64| if at.is_multiple_of(every) { End::Stopped(limit) } else { End::Completed };
        let round = |needs: &mut Needs| {
            let first = needs.seen;
            (first..first + 20).for_each(|at| needs.note(&end(at), true));
            needs.decide()
        };
        (0..rounds).filter(|_| round(needs)).count()
    }

    #[test]
    fn accidents_do_not_widen_the_limits_and_habits_do() {
        let mut needs = Needs::default();
        assert_eq!(changes(&mut needs, Limit::Steps, 50, 100), 0);
        assert_eq!(widened_limits(needs), Limits::default());
        let mut needs = Needs::default();
        assert_eq!(changes(&mut needs, Limit::Steps, 10, 20), 1);
        assert_eq!(changes(&mut needs, Limit::Steps, 1000, 50), 0, "it helped");
        assert_eq!(widened_limits(needs).steps, MORE_STEPS * Limits::default().steps);
        assert_eq!(widened_limits(needs).time, Limits::default().time);
    }

    #[test]
    fn a_program_that_never_gets_started_is_seen_soon() {
        let mut needs = Needs::default();
        assert_eq!(changes(&mut needs, Limit::Steps, 1, 1), 1);
        assert_eq!(widened_limits(needs).steps, ANY_STEPS * Limits::default().steps);
        assert_eq!(widened_limits(needs).time, MORE_TIME * Limits::default().time);
    }

    #[test]
    fn what_hangs_all_the_same_is_not_given_more() {
        let mut needs = Needs::default();
        assert_eq!(changes(&mut needs, Limit::Time, 10, 2), 1);
        assert!(widened_limits(needs).time > Limits::default().time);
        assert_eq!(changes(&mut needs, Limit::Time, 10, 50), 1, "taken back");
        assert_eq!(widened_limits(needs), Limits::default());
    }

    #[test]
    fn where_runs_have_to_be_alike_the_clock_has_no_say() {
        let mut needs = Needs::default();
        (0..100).for_each(|_| needs.note(&End::Stopped(Limit::Time), false));
        assert!(!needs.decide());
    }

    fn widened_limits(needs: Needs) -> Limits {
        let mut limits = Limits::default();
        needs.widen(&mut limits);
        limits
    }
}
