//! The best test so far: what is better, what it does on the fixed build, where it is written.

use super::claim::{Tried, rightness};
use super::{Job, ReproduceError};
use crate::assertion::{self, Assertions};
use crate::bare_null;
use crate::comment;
use crate::event::Event;
use crate::fragment;
use crate::judge::{Judgement, judge_fixed, passes};
use crate::settings::Build;
use crate::so_far::Unconfirmed;
use crate::verdict::{Fixed, Flag, FrameCount, Verdict, WrittenTest};
use crate::write;
use confirm::{ConfirmError, ConfirmOptions, Setting, TestFile};
use crash_report::compare::{Difference, Grade, Graded, MessageMatch};
use engine::{EngineName, Goal};
use junit::{Style, TestSource};
use program::MethodRef;
use recipe::Recipe;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// The best test so far, as a fresh JVM showed it.
pub(super) struct Confirmed {
    pub(super) judgement: Judgement,
    pub(super) rank: Rank,
    pub(super) test: TestSource,
    pub(super) path: PathBuf,
    pub(super) fixed: Option<Fixed>,
    pub(super) flags: Vec<Flag>,
    /// The member that a fragment enters.
    pub(super) entered: Option<MethodRef>,
    pub(super) statements: u32,
    /// Whose candidate it was.
    pub(super) engine: EngineName,
}

impl Confirmed {
    /// How right the messages are, as claims count it.
    pub(super) fn message_rank(&self) -> u8 {
        message_rank(&self.judgement)
    }

    /// What the log does not name, if nothing else is missing: no test can show more.
    pub(super) fn nameless(&self) -> Option<&Difference> {
        let difference = self.judgement.comparison.as_ref()?.difference.as_ref();
        difference.filter(|difference| matches!(difference, Difference::Unnamed { .. }))
    }

    /// It is the crash of the log, as far as a test can show: another one is looked for only for its looks.
    pub(super) fn is_right(&self) -> bool {
        let is_other = matches!(self.judgement.message(), Some(MessageMatch::Template | MessageMatch::Other));
        let shows_all = self.judgement.grade.is_full() || self.nameless().is_some();
        shows_all && !is_other && !self.flags.contains(&Flag::Fragment) && self.fixed.is_none_or(Fixed::is_gone)
    }
}

/// Which of two confirmed tests is better: more frames, not flaky, no fragment, the crash gone on the fixed build and the test
/// passing there, the message, more natural, fewer statements.
pub(super) type Rank = (Grade, bool, bool, u8, u8, std::cmp::Reverse<u32>, std::cmp::Reverse<u32>);

fn rank(judgement: &Judgement, fixed: Option<Fixed>, flags: &[Flag], demerits: u32, statements: u32) -> Rank {
    let message = message_rank(judgement);
    let on_fixed = match fixed {
        None | Some(Fixed::Passes) => 3,
        Some(Fixed::Changed) => 2,
        Some(Fixed::Unknown) => 1,
        Some(Fixed::SameCrash | Fixed::DoesNotCompile) => 0,
    };
    let is_whole = !flags.contains(&Flag::Fragment);
    let looks = (std::cmp::Reverse(demerits), std::cmp::Reverse(statements));
    (judgement.grade, !judgement.flaky, is_whole, on_fixed, message, looks.0, looks.1)
}

fn message_rank(judgement: &Judgement) -> u8 {
    judgement.comparison.as_ref().map_or(0, |c| rightness(c.messages.verdict))
}

fn flags_of(test: &TestSource, recipe: &Recipe, goal: &Goal) -> Vec<Flag> {
    let mut flags = Vec::new();
    if test.flags.reflection {
        flags.push(Flag::Reflection);
    }
    if test.flags.in_package {
        flags.push(Flag::InPackage);
    }
    if bare_null::goes_into_frame_1(recipe, goal) {
        flags.push(Flag::NullIntoFrame1);
    }
    flags
}

/// What was not answered in time is not known; what is known already counts all the same.
fn unless_late<T>(answer: Result<Option<T>, ReproduceError>) -> Result<Option<T>, ReproduceError> {
    match answer {
        Err(ReproduceError::Confirm(ConfirmError::OutOfTime)) => Ok(None),
        answer => answer,
    }
}

impl Job<'_> {
    /// Keeps the test if it is the best so far; false if there is a fixed build and it does not pass there.
    pub(super) fn keep(
        &mut self,
        recipe: &Recipe,
        (demerits, engine): (u32, EngineName),
        tried: Tried,
        events: &mut dyn FnMut(Event),
    ) -> Result<bool, ReproduceError> {
        let (Some(test), judgement) = (&tried.test, &tried.judgement) else { return Ok(false) };
        let fixed = if judgement.grade > Grade::None { self.fixed_in_time(test, judgement)? } else { None };
        let shows_bug = fixed.is_none_or(|fixed| fixed == Fixed::Passes);
        let mut flags = flags_of(test, recipe, &self.goal);
        if judgement.flaky {
            flags.push(Flag::Flaky);
        }
        if judgement.has_replaced_stack() {
            flags.push(Flag::ReplacedStack);
        }
        let entered = fragment::entered(recipe, &self.goal, self.program);
        if entered.is_some() {
            flags.push(Flag::Fragment);
        }
        let statements = recipe.size().statements;
        let rank = rank(judgement, fixed, &flags, demerits, statements);
        let better = self.confirmed.as_ref().is_none_or(|best| rank > best.rank);
        if judgement.grade == Grade::None || !better {
            return Ok(shows_bug);
        }
        let asserting = if self.settings.assert_throws { unless_late(self.asserting(recipe, &tried))? } else { None };
        let header = self.header(judgement, entered);
        let described = || self.print_as(Style::Red, recipe, &tried.refused, header).ok();
        let test = asserting.or_else(described).unwrap_or_else(|| test.clone());
        let elapsed = self.settings.clock.elapsed();
        self.effort.to_first.get_or_insert(elapsed);
        self.effort.to_best = Some(elapsed);
        let graded = Graded { fixed: fixed == Some(Fixed::Passes), ..judgement.graded() };
        events(Event::Confirmed { grade: graded, elapsed });
        let path = self.write(&test)?;
        if let Some(old) = self.confirmed.as_ref().filter(|old| old.path != path) {
            self.output.remove(&old.path);
        }
        let judgement = tried.judgement;
        let best = Confirmed { judgement, rank, test, path, fixed, flags, entered, statements, engine };
        if best.is_right() {
            self.right_since.get_or_insert((elapsed, self.effort.candidates));
        }
        self.settings.so_far.update(|verdict| {
            self.describe(&best, verdict);
            verdict.effort = self.effort;
            verdict.reason = verdict.reason.take().filter(|_| !verdict.is_success());
        });
        self.confirmed = Some(best);
        Ok(shows_bug)
    }

    /// What stands above the test.
    fn header(&self, judgement: &Judgement, entered: Option<MethodRef>) -> Vec<String> {
        let mut lines = comment::tried(&self.crash.throwable, &self.expected, judgement);
        let by_force =
            |method: MethodRef| format!("A fragment: it enters {}.{} by reflection.", method.class, method.name);
        lines.extend(entered.map(by_force));
        if judgement.grade == Grade::FullReachable {
            lines.extend(comment::out_of_reach(&self.out_of_reach));
        }
        lines
    }

    /// What the test does with the fixed jars, if there are any.
    fn fixed_in_time(&self, test: &TestSource, judgement: &Judgement) -> Result<Option<Fixed>, ReproduceError> {
        let fixed = unless_late(self.on_fixed(test, judgement))?;
        Ok(fixed.or(self.settings.fixed.as_ref().map(|_| Fixed::Unknown)))
    }

    fn on_fixed(&self, test: &TestSource, judgement: &Judgement) -> Result<Option<Fixed>, ReproduceError> {
        let (Some(Build { class_path, program }), Ok(confirmer)) = (&self.settings.fixed, &self.confirmer) else {
            return Ok(None);
        };
        let setting = Setting { class_path, program };
        let file = TestFile { path: test.path.clone(), text: test.text.clone() };
        let options = ConfirmOptions { runs: 1, ..self.confirm_options() };
        let confirmation = confirmer.confirm(&[file], &setting, &options)?;
        let (crash, name) = (self.crash, judgement.test.as_deref());
        Ok(Some(judge_fixed(&confirmation, name, &crash.throwable, &*crash.is_application)))
    }

    /// The same as a test that passes while the bug exists, with the most telling assertion that fresh JVMs uphold; none if
    /// the crash is not the same in each run.
    fn asserting(&self, recipe: &Recipe, tried: &Tried) -> Result<Option<TestSource>, ReproduceError> {
        let Ok(confirmer) = &self.confirmer else { return Ok(None) };
        // Messages as the user's own runs will show them.
        let options = ConfirmOptions { helpful_messages: true, ..self.confirm_options() };
        for expected in Assertions::of(&tried.judgement, &self.expected) {
            let header = self.header(&tried.judgement, fragment::entered(recipe, &self.goal, self.program));
            let style = Style::AssertThrows(expected);
            let Ok(test) = self.print_as(style, recipe, &tried.refused, header) else { break };
            if passes(&self.confirm(&**confirmer, &test, &options)?) {
                return Ok(Some(test));
            }
        }
        Ok(None)
    }

    pub(super) fn write_unconfirmed(&mut self, recipe: &Recipe) -> Result<(), ReproduceError> {
        let style = self.unconfirmed_style();
        // What source has no words for is not written; another candidate may be.
        let header = comment::untried(&self.crash.throwable, &self.expected);
        let Ok(test) = self.print_as(style, recipe, &BTreeSet::new(), header) else { return Ok(()) };
        let old = self.unconfirmed.replace(self.write(&test)?);
        if let Some(old) = old.filter(|old| Some(old) != self.unconfirmed.as_ref()) {
            self.output.remove(&old);
        }
        Ok(())
    }

    /// Holds a test ready in case that the time is up before it is confirmed; none if one that shows as much was confirmed.
    pub(super) fn hold_ready(&self, recipe: &Recipe, grade: Grade) {
        let confirmed = self.confirmed.as_ref().map_or(Grade::None, |best| best.judgement.grade);
        if self.settings.clock.deadline().is_none() || self.confirmer.is_err() || grade <= confirmed {
            return;
        }
        let header = comment::untried(&self.crash.throwable, &self.expected);
        let confirmed = self.confirmed.as_ref().map(|best| &*best.test.path);
        let test = self.print_beside(confirmed, self.unconfirmed_style(), recipe, &BTreeSet::new(), header).ok();
        let unconfirmed = test.map(|test| Unconfirmed {
            grade,
            command: write::command(&test, self.settings, self.program),
            test,
            statements: recipe.size().statements,
            output: self.output.clone(),
        });
        self.settings.so_far.set_unconfirmed(unconfirmed);
    }

    fn unconfirmed_style(&self) -> Style {
        match self.settings.assert_throws {
            true => Style::AssertThrows(assertion::unconfirmed(&self.crash.throwable, &self.expected)),
            false => Style::Red,
        }
    }

    /// What is to be said of the best test.
    pub(super) fn describe(&self, best: &Confirmed, verdict: &mut Verdict) {
        let comparison = best.judgement.comparison.as_ref();
        verdict.grade = best.judgement.grade;
        verdict.frames = comparison.map_or(verdict.frames, |c| {
            let of = c.exact.of as u32;
            let matched = c.exact.matched as u32;
            FrameCount { matched, of, reachable: self.reachable(of).max(matched) }
        });
        verdict.message = best.judgement.message();
        verdict.ignored = comparison.map_or_else(Vec::new, |c| c.messages.ignored.clone());
        verdict.thrown = best.judgement.compared().cloned();
        verdict.differences = comment::differences(&self.crash.throwable, &best.judgement);
        verdict.fixed = best.fixed;
        verdict.engine = Some(best.engine);
        verdict.flags.clone_from(&best.flags);
        verdict.test = Some(WrittenTest {
            path: best.path.clone(),
            command: write::command(&best.test, self.settings, self.program),
            source: best.test.text.clone(),
            statements: best.statements,
        });
    }

    fn write(&self, test: &TestSource) -> Result<PathBuf, ReproduceError> {
        self.output.write(&test.path, &test.text).map_err(|source| ReproduceError::Unwritable {
            directory: self.settings.out.clone(),
            test: test.text.clone(),
            source,
        })
    }
}
