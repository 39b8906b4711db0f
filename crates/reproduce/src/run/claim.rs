//! A candidate that shows more than any before: it is made small and natural, printed, and tried in fresh JVMs.

use super::{Job, ReproduceError};
use crate::attempt::{Attempt, attempt};
use crate::comment;
use crate::confirming::Confirming;
use crate::event::Event;
use crate::judge::{Judgement, judge};
use crate::minimise::minimise;
use crate::natural;
use crate::overflow;
use crate::plain::{Outcome, or_plain};
use crate::search::Search;
use crate::write;
use confirm::source::look_at;
use confirm::{ConfirmError, ConfirmOptions, Confirmation, RunEnd, Setting, TestFile};
use crash_report::compare::{Grade, MessageMatch};
use crash_report::message::explains_nulls;
use engine::Find;
use junit::{Inexpressible, Style, TestSource, Use};
use recipe::{End, Observation, ProbePlan, Recipe, Runner};
use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

/// Claims after which the search no longer looks for another candidate in place of one that was refuted.
const MAX_CLAIMS: u32 = 16;
/// One run of a test that shows the crash; the candidate that it is made from took far less.
const LONGEST_RUN: Duration = Duration::from_secs(20);
const SHORTEST_RUN: Duration = Duration::from_secs(4);
/// The same where the budget is counted in candidates: what comes out is not to depend on how busy the machine is.
const LONGEST_UNTIMED_RUN: Duration = Duration::from_secs(120);
/// Threads that met in three JVMs may not meet in a fourth.
const RUNS_OF_RACES: u32 = 8;

/// What a candidate shows, in the order in which it counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Claim {
    pub(super) grade: Grade,
    pub(super) message: u8,
    /// The fewer the better.
    pub(super) demerits: std::cmp::Reverse<u32>,
}

impl Default for Claim {
    fn default() -> Self {
        Claim { grade: Grade::None, message: 0, demerits: std::cmp::Reverse(u32::MAX) }
    }
}

/// The same text is better than another of the same template, which is better than none.
pub(super) fn rightness(message: MessageMatch) -> u8 {
    match message {
        MessageMatch::Exact => 2,
        MessageMatch::Template => 1,
        MessageMatch::Other | MessageMatch::Unknown => 0,
    }
}

impl Claim {
    pub(super) fn of(find: &Find) -> Claim {
        let comparison = find.assessment.comparison.as_ref();
        Claim {
            grade: find.assessment.grade(),
            message: comparison.map_or(0, |c| rightness(c.messages.verdict)),
            demerits: std::cmp::Reverse(find.assessment.demerits),
        }
    }

    /// The same of a test with these demerits.
    pub(super) fn with(self, demerits: u32) -> Claim {
        Claim { demerits: std::cmp::Reverse(demerits), ..self }
    }
}

/// A candidate in fresh JVMs.
pub(super) struct Tried {
    /// None if there are no words for it in Java.
    pub(super) test: Option<TestSource>,
    pub(super) refused: BTreeSet<Use>,
    pub(super) judgement: Judgement,
}

impl Job<'_> {
    /// A candidate shows more than any before: minimise it, print it, and ask fresh JVMs. If they do not answer in time, it is
    /// held ready as what it is.
    pub(super) fn claim(
        &mut self,
        find: &Find,
        search: &mut Search,
        runner: &mut dyn Runner,
        plan: &ProbePlan,
        events: &mut dyn FnMut(Event),
    ) -> Result<(), ReproduceError> {
        runner.set_deadline(self.minimised_by());
        let claimed = self.claim_in_time(find, search, runner, plan, events);
        runner.set_deadline(self.settings.clock.deadline());
        match claimed {
            Err(ReproduceError::Confirm(ConfirmError::OutOfTime)) => Ok(()),
            claimed => claimed,
        }
    }

    /// Most of what is left of the time is for the confirmation.
    fn minimised_by(&self) -> Option<Instant> {
        const SHARE: u32 = 3;
        let now = Instant::now();
        let last_call = self.settings.clock.last_call()?;
        Some(now + last_call.saturating_duration_since(now) / SHARE)
    }

    fn claim_in_time(
        &mut self,
        find: &Find,
        search: &mut Search,
        runner: &mut dyn Runner,
        plan: &ProbePlan,
        events: &mut dyn FnMut(Event),
    ) -> Result<(), ReproduceError> {
        let (claim, before) = (Claim::of(find), self.claimed);
        let claimed = claim.grade;
        let is_race = find.candidate.recipe().is_race();
        // How deep a stack gets depends on everything that is on it: that is not touched but to make it deeper.
        let is_delicate = is_race || self.goal.is_stack_overflow;
        self.races += u32::from(is_race);
        let naturally = claimed.is_full() && !is_delicate && !self.settings.clock.is_spent();
        let Some((mut recipe, mut demerits)) = self.prepare(find, naturally, search, runner, plan)? else {
            search.disregard(find);
            self.settings.so_far.set_unconfirmed(None);
            return Ok(());
        };
        self.hold_ready(&recipe, claimed);
        self.effort.claims += 1;
        events(Event::Claim { grade: claimed });
        // What is no better than this need not be confirmed.
        self.claimed = claim.with(demerits);
        if self.confirmer.is_err() {
            return self.write_unconfirmed(&recipe);
        }
        let mut tried = self.try_out(&recipe)?;
        for _ in 0..overflow::ATTEMPTS {
            let is_shallow =
                self.goal.is_stack_overflow && tried.judgement.grade < claimed && self.has_time_to_confirm();
            let Some(deeper) = overflow::deeper(&recipe, overflow::MARGIN).filter(|_| is_shallow) else { break };
            recipe = deeper;
            tried = self.try_out(&recipe)?;
        }
        // What made it more natural may be what a fresh JVM does not like.
        if naturally && tried.judgement.grade < claimed && self.has_time_to_confirm() {
            let natural = Outcome { recipe, demerits, tried };
            let plain = self.prepare(find, false, search, runner, plan)?;
            let grade = |tried: &Tried| tried.judgement.grade;
            Outcome { recipe, demerits, tried } = or_plain(natural, plain, |plain| self.try_out(plain), grade)?;
            self.claimed = claim.with(demerits);
        }
        let judged = &tried.judgement;
        self.settings.so_far.set_unconfirmed(None);
        if judged.grade < claimed {
            self.effort.refuted += 1;
            let why = judged.why.clone().unwrap_or_default();
            let source = tried.test.as_ref().map(|test| test.text.clone());
            events(Event::Refuted { claimed, confirmed: judged.grade, why, source });
        }
        // Neither what a fresh JVM refutes nor what does not pass on the fixed build is what is looked for.
        let message = judged.comparison.as_ref().map_or(0, |comparison| rightness(comparison.messages.verdict));
        let is_true = (judged.grade, message) >= (claimed, claim.message);
        let is_wanted = self.keep(&recipe, (demerits, find.candidate.engine), tried, events)? && is_true;
        let may_look_for_more = self.effort.claims < MAX_CLAIMS;
        if !is_wanted && may_look_for_more {
            search.refute(find);
            self.claimed = before;
        } else if demerits > find.assessment.demerits && may_look_for_more {
            search.disregard(find);
        }
        Ok(())
    }

    /// The smallest and most natural test that shows as much as the find, and its demerits; none if that is no better than what
    /// was tried before, because the find looked more natural than it is. If not `naturally`, it is only made small.
    fn prepare(
        &self,
        find: &Find,
        naturally: bool,
        search: &mut Search,
        runner: &mut dyn Runner,
        plan: &ProbePlan,
    ) -> Result<Option<(Recipe, u32)>, ReproduceError> {
        let claim = Claim::of(find);
        let keeps = |_: &Recipe, seen: &Observation| self.shows(seen) >= (claim.grade, claim.message);
        let mut recipe = find.candidate.recipe().clone();
        if naturally {
            recipe = natural::with_nulls_shown(recipe, runner, plan, &keeps)?;
            if claim.with(search.demerits(&recipe, find.candidate.entry())) <= self.claimed {
                return Ok(None);
            }
            recipe = natural::naturalise(recipe, find, search, runner, plan, &keeps, &self.settings.stop)?;
        }
        let demerits = |recipe: &Recipe| search.demerits(recipe, find.candidate.entry());
        let small = |recipe: Recipe, runner: &mut dyn Runner| {
            minimise(recipe, runner, plan, &keeps, &demerits, self.program, &self.settings.stop)
        };
        recipe = small(recipe, runner)?;
        if naturally {
            // What was merged may have been null.
            let shown = natural::with_nulls_shown(recipe.clone(), runner, plan, &keeps)?;
            recipe = if shown == recipe { recipe } else { small(shown, runner)? };
        }
        if self.goal.is_stack_overflow {
            recipe = overflow::with_margin(&recipe, runner, plan, &keeps)?;
        } else if recipe.is_race() {
            let meets = |seen: &Observation| self.shows(seen).0 >= claim.grade;
            let Some(times) = overflow::meetings(&recipe, runner, plan, &meets)? else { return Ok(None) };
            recipe = overflow::deeper(&recipe, times).unwrap_or(recipe);
        }
        let demerits = demerits(&recipe);
        Ok((!naturally || claim.with(demerits) > self.claimed).then_some((recipe, demerits)))
    }

    /// As a test that lets the crash escape: only that one can be compared with the crash.
    fn try_out(&self, recipe: &Recipe) -> Result<Tried, ReproduceError> {
        let Ok(confirmer) = &self.confirmer else {
            let judgement = Judgement::none("there is no compiler");
            return Ok(Tried { test: None, refused: BTreeSet::new(), judgement });
        };
        let untried = || comment::untried(&self.crash.throwable, &self.expected);
        let print = |refused: &BTreeSet<Use>| self.print_as(Style::Red, recipe, refused, untried());
        let mut options = self.confirm_options();
        if recipe.is_race() {
            options.runs = options.runs.max(RUNS_OF_RACES);
        }
        let confirm = |test: &TestSource| self.confirm(&**confirmer, test, &options);
        Ok(match attempt(recipe, &print, &confirm)? {
            Ok(Attempt { test, refused, confirmation }) => {
                let cheats = look_at([&*test.text], self.crash.throwable.name()).cheats;
                let judgement = match cheats.first() {
                    Some(cheat) => Judgement::none(format!("it {}", cheat.describe())),
                    None => self.judge(&confirmation),
                };
                Tried { test: Some(test), refused, judgement }
            }
            Err(inexpressible) => {
                let judgement = Judgement::none(inexpressible.to_string());
                Tried { test: None, refused: BTreeSet::new(), judgement }
            }
        })
    }

    pub(super) fn print_as(
        &self,
        style: Style,
        recipe: &Recipe,
        refused: &BTreeSet<Use>,
        header: Vec<String>,
    ) -> Result<TestSource, Inexpressible> {
        self.print_beside(None, style, recipe, refused, header)
    }

    /// The same, of a test that does not take the place of another one of this run.
    pub(super) fn print_beside(
        &self,
        other: Option<&Path>,
        style: Style,
        recipe: &Recipe,
        refused: &BTreeSet<Use>,
        header: Vec<String>,
    ) -> Result<TestSource, Inexpressible> {
        let crash = &self.crash.throwable;
        let output = (self.settings, &*self.output, other);
        write::print(recipe, style, refused, (header, crash), &self.expected, self.program, output)
    }

    /// The grade of what a worker saw, and how right the message is.
    fn shows(&self, seen: &Observation) -> (Grade, u8) {
        let End::Threw { thrown, .. } = &seen.end else { return (Grade::None, 0) };
        let comparison = engine::compare_with_goal(&self.goal, thrown, &*self.crash.is_application);
        comparison.map_or((Grade::None, 0), |c| (c.exact.grade, rightness(c.messages.verdict)))
    }

    pub(super) fn confirm(
        &self,
        confirmer: &dyn Confirming,
        test: &TestSource,
        options: &ConfirmOptions,
    ) -> Result<Confirmation, ConfirmError> {
        let setting = Setting { class_path: &self.settings.class_path, program: self.program };
        let file = TestFile { path: test.path.clone(), text: test.text.clone() };
        let confirmation = confirmer.confirm(&[file], &setting, options)?;
        // A test that got little time because the budget ends, and does not end, tells nothing.
        let is_cut_short = options.deadline.is_some() && options.time_limit < LONGEST_RUN;
        let is_last = is_cut_short && self.longest_run() == SHORTEST_RUN;
        if is_last && has_run_out(&confirmation) { Err(ConfirmError::OutOfTime) } else { Ok(confirmation) }
    }

    fn judge(&self, confirmation: &Confirmation) -> Judgement {
        let same_template = |depth: usize, actual: &str| self.goal.is_instance(depth, actual);
        judge(
            confirmation,
            &self.crash.throwable,
            (true, self.goal.reachable),
            &*self.crash.is_application,
            &same_template,
        )
    }

    /// Two of them fit into what is left of the time, but on a busy machine even a short one takes seconds. All end with it.
    fn longest_run(&self) -> Duration {
        let Some(last_call) = self.settings.clock.last_call() else { return LONGEST_UNTIMED_RUN };
        let left = last_call.saturating_duration_since(Instant::now());
        (left / 2).clamp(SHORTEST_RUN, LONGEST_RUN)
    }

    pub(super) fn confirm_options(&self) -> ConfirmOptions {
        ConfirmOptions {
            time_limit: self.longest_run(),
            deadline: self.settings.clock.last_call(),
            jvm_args: self.settings.jvm_args.clone(),
            allow_read: self.settings.allow_read.clone(),
            helpful_messages: explains_nulls(&self.crash.throwable),
            ..ConfirmOptions::default()
        }
    }
}

fn has_run_out(confirmation: &Confirmation) -> bool {
    matches!(confirmation, Confirmation::Ran { runs, .. } if runs.iter().any(|run| run.end == RunEnd::TimedOut))
}
