//! The run: derive the target, search in rounds, confirm what the search finds, end with a verdict.

use crate::assertion::{self, Assertions};
use crate::attempt::{Attempt, attempt};
use crate::event::Event;
use crate::judge::{Judgement, judge, judge_fixed, passes};
use crate::minimise::minimise;
use crate::natural;
use crate::overflow;
use crate::plain::{Outcome, or_plain};
use crate::reason::{describe, reason};
use crate::settings::{Budget, Settings};
use crate::verdict::{Effort, Fixed, Flag, FrameCount, Verdict, WrittenTest};
use crate::write;
use crash_report::Throwable;
use crash_report::compare::{Grade, MessageMatch};
use evolve::{Find, Goal, Round, Search};
use junit::{ExpectedFrame, Inexpressible, Style, TestSource, Use};
use jvm_host::confirm::source::look_at;
use jvm_host::confirm::{ConfirmError, ConfirmOptions, Confirmation, Confirmer, Setting, TestFile};
use objects::Catalogue;
use program::{Cache, ClassName, Program, ProgramError};
use recipe::{Action, Arg, End, Literal, Observation, ProbePlan, Recipe, Runner, RunnerError};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use target::{Binding, CrashTarget, FrameRole};

/// Candidates of the first rounds, and of all later ones: the easy crashes are not to wait for a large round.
const FIRST_ROUNDS: [usize; 2] = [40, 60];
pub(crate) const ROUND: usize = 100;
/// Rounds without a better candidate before one that does not show the full stack is confirmed.
const SETTLED: u32 = 8;
/// Claims after which the search no longer looks for another candidate in place of one that was refuted.
const MAX_CLAIMS: u32 = 16;
/// Time for minimising a test that was found when the budget was spent.
const LAST_MINIMISING: Duration = Duration::from_secs(1);
/// Time that a confirmation takes: what waits for one gets it this long before the budget is spent.
const CLOSING: Duration = Duration::from_secs(3);
/// Time for confirming what was found last, beyond the budget.
const OVERTIME: Duration = Duration::from_secs(3);
/// One run of a test that shows the crash; the candidate that it is made from took far less.
const LONGEST_RUN: Duration = Duration::from_secs(20);
const SHORTEST_RUN: Duration = Duration::from_secs(4);
/// The same where the budget is counted in candidates: what comes out is not to depend on how busy the machine is.
const LONGEST_UNTIMED_RUN: Duration = Duration::from_secs(120);
/// Threads that met in three JVMs may not meet in a fourth.
const RUNS_OF_RACES: u32 = 8;
/// Once the full stack is confirmed, this share of the budget goes into a more useful test.
const POLISHING: f64 = 0.25;

/// The crash to reproduce.
#[derive(Clone)]
pub struct Crash {
    pub throwable: Throwable,
    /// What the log says before the trace; empty if nothing.
    pub before: String,
    pub is_application: Arc<dyn Fn(&str) -> bool + Send + Sync>,
}

impl std::fmt::Debug for Crash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Crash").field("throwable", &self.throwable).finish_non_exhaustive()
    }
}

/// Why the job could not be done at all. Nothing that was found before is lost: the best test is written already.
#[derive(Debug, thiserror::Error)]
pub enum ReproduceError {
    #[error(transparent)]
    Runner(#[from] RunnerError),
    #[error(transparent)]
    Confirm(#[from] ConfirmError),
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// The caller's fault: the search went well, but there is no compiler to confirm its test with.
    #[error("the test `{}` could not be confirmed", test.display())]
    Unconfirmed { test: PathBuf, source: ConfirmError },
    /// The output directory's fault. The confirmed test is in here, so that it is not lost.
    #[error("cannot write the test to `{}`", directory.display())]
    Unwritable { directory: PathBuf, test: String, source: std::io::Error },
}

/// Does the job. `events` sees what happens as it happens.
pub fn reproduce(
    crash: &Crash,
    program: &Arc<Program>,
    settings: &Settings,
    runner: &mut dyn Runner,
    events: &mut dyn FnMut(Event),
) -> Result<Verdict, ReproduceError> {
    // First of all: its compiler gets ready while the search is on.
    let confirmer = match Confirmer::start(program.jdk(), settings.lock_up.clone()) {
        Err(ConfirmError::NoCompiler { home }) => Err(ConfirmError::NoCompiler { home }),
        other => Ok(other?),
    };
    let target = CrashTarget::derive(&crash.throwable, program, &*crash.is_application);
    let goal = Goal::new(&target, crash.throwable.clone(), program);
    let goal = Arc::new(if settings.evolve.extras.block_distance { goal } else { goal.without_lines() });
    events(Event::Target { frames: application_frames(&target), bound: goal.frames.len() });
    let mut job = Job {
        crash,
        program,
        settings,
        confirmer,
        unconfirmed: None,
        goal: &goal,
        expected: expected_frames(&target),
        started: Instant::now(),
        effort: Effort::default(),
        confirmed: None,
        claimed: Claim::default(),
        pending: None,
        rounds: 0,
        races: 0,
        proposed_rounds: 0,
        proposed: 0,
        full_since: None,
        broken: None,
    };
    let mut catalogue = Catalogue::new(program.clone(), &near(&target));
    if let Some(examples) = &settings.examples {
        let (examples, _) = Program::open(examples, program.jdk().clone(), &Cache::of_user())?;
        catalogue = catalogue.with_examples(Arc::new(examples));
    }
    let catalogue = Arc::new(catalogue);
    let pool = evolve::seeds(&target, &crash.before, program, &settings.evolve);
    let mut search = Search::new(
        goal.clone(),
        catalogue,
        pool,
        crash.is_application.clone(),
        // The same seed and number of candidates give the same test.
        evolve::Config {
            minds_time: matches!(settings.budget, Budget::Time(_)) && settings.evolve.minds_time,
            ..settings.evolve.clone()
        },
        settings.seed,
    );
    match job.search(&mut search, runner, events) {
        // What was confirmed before counts all the same.
        Err(ReproduceError::Runner(error)) if job.confirmed.is_some() => job.broken = Some(error),
        ended => ended?,
    }
    match (job.unconfirmed.take(), job.confirmer) {
        (Some(test), Err(source)) => Err(ReproduceError::Unconfirmed { test, source }),
        (None, Err(error)) => Err(error.into()),
        (_, Ok(confirmer)) => Ok(Job { confirmer: Ok(confirmer), ..job }.verdict(&target, &search)),
    }
}

struct Job<'a> {
    crash: &'a Crash,
    program: &'a Arc<Program>,
    settings: &'a Settings,
    /// Without a compiler the search is still worth its while: the test can be confirmed elsewhere.
    confirmer: Result<Confirmer, ConfirmError>,
    /// The best test, written without confirmation.
    unconfirmed: Option<PathBuf>,
    goal: &'a Arc<Goal>,
    expected: Vec<ExpectedFrame>,
    started: Instant,
    effort: Effort,
    confirmed: Option<Confirmed>,
    /// The best that a worker has shown and that was tried to confirm.
    claimed: Claim,
    /// A better candidate that waits for its confirmation, and the round it was found in.
    pending: Option<(Find, u32)>,
    rounds: u32,
    /// Claims of candidates in which threads meet.
    races: u32,
    proposed_rounds: usize,
    /// Candidates made, the round that is still to be run included.
    proposed: u64,
    /// When the full stack was confirmed: time and candidates.
    full_since: Option<(Duration, u64)>,
    /// Why the search could not go on.
    broken: Option<RunnerError>,
}

/// What a candidate shows, in the order in which it counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Claim {
    grade: Grade,
    message: u8,
    /// The fewer the better.
    demerits: std::cmp::Reverse<u32>,
}

impl Default for Claim {
    fn default() -> Self {
        Claim { grade: Grade::None, message: 0, demerits: std::cmp::Reverse(u32::MAX) }
    }
}

/// The same text is better than another of the same template, which is better than none.
fn rightness(message: MessageMatch) -> u8 {
    match message {
        MessageMatch::Equal => 2,
        MessageMatch::SameTemplate => 1,
        MessageMatch::Different | MessageMatch::Unknown => 0,
    }
}

impl Claim {
    fn of(find: &Find) -> Claim {
        let comparison = find.comparison.as_ref();
        Claim {
            grade: comparison.map_or(Grade::None, |c| c.exact.grade),
            message: comparison.map_or(0, |c| rightness(c.message)),
            demerits: std::cmp::Reverse(find.fitness.demerits),
        }
    }

    /// The same of a test with these demerits.
    fn with(self, demerits: u32) -> Claim {
        Claim { demerits: std::cmp::Reverse(demerits), ..self }
    }
}

/// A candidate in fresh JVMs.
struct Tried {
    /// None if there are no words for it in Java.
    test: Option<TestSource>,
    refused: BTreeSet<Use>,
    judgement: Judgement,
}

/// The best test so far, as a fresh JVM showed it.
struct Confirmed {
    judgement: Judgement,
    rank: Rank,
    test: TestSource,
    path: PathBuf,
    fixed: Option<Fixed>,
    flags: Vec<Flag>,
    statements: u32,
}

impl Job<'_> {
    fn search(
        &mut self,
        search: &mut Search,
        runner: &mut dyn Runner,
        events: &mut dyn FnMut(Event),
    ) -> Result<(), ReproduceError> {
        runner.set_deadline(self.deadline());
        let mut next = self.propose(search);
        while self.may_go_on() && !search.is_done() && !next.recipes.is_empty() {
            let plan = search.plan();
            let round = next;
            // Neither waits for the other: the next round is made while this one runs, and does not know yet what it shows.
            let (observations, following) = std::thread::scope(|scope| {
                let running = scope.spawn(|| runner.run(&round.recipes, &plan));
                let following = self.propose(search);
                (running.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)), following)
            });
            let observations = observations?;
            next = following;
            // Near the deadline the last ones are not run.
            self.effort.candidates += observations.len() as u64;
            let find = search.learn(round, &observations);
            events(self.round_event(search));
            self.rounds += 1;
            if let Some(find) = find.filter(|find| find.fitness.is_crash() && self.is_progress(&Claim::of(find))) {
                if self.is_worth_a_claim(&find) {
                    self.pending = Some((find, self.rounds));
                } else {
                    search.refute(&find);
                }
            }
            if self.pending.as_ref().is_some_and(|(find, since)| self.is_due(find, *since)) {
                self.claim_pending(search, runner, &plan, events)?;
            }
            if self.is_good_enough() {
                break;
            }
        }
        // What was found last is confirmed even if the budget is spent, but not for the sake of a nicer test.
        let confirmed = self.confirmed.as_ref().map(|best| best.judgement.grade);
        if self.pending.as_ref().is_some_and(|(find, _)| Some(Claim::of(find).grade) <= confirmed) {
            return Ok(());
        }
        // Only where the budget is a time has the clock a say.
        runner.set_deadline(self.deadline().map(|_| Instant::now() + LAST_MINIMISING));
        self.claim_pending(search, runner, &search.plan(), events)
    }

    /// A nicer test is worth a confirmation where it shows the whole crash; before that, only a few times.
    fn is_progress(&self, claim: &Claim) -> bool {
        const FEW: u32 = 4;
        let shows_more = (claim.grade, claim.message) > (self.claimed.grade, self.claimed.message);
        *claim > self.claimed && (shows_more || claim.grade == Grade::FullStack || self.effort.claims < FEW)
    }

    /// Threads that met once seldom meet every time: what they show is tried to confirm a few times, and only if it is all there is
    /// to show.
    fn is_worth_a_claim(&self, find: &Find) -> bool {
        const RACES: u32 = 8;
        !evolve::is_race(&find.recipe) || (Claim::of(find).grade == Grade::FullStack && self.races < RACES)
    }

    /// Each confirmation costs seconds, in which a better candidate is often found: only the full stack is confirmed at once,
    /// and what there is when the time runs out.
    fn is_due(&self, find: &Find, since: u32) -> bool {
        let is_closing = self.deadline().is_some_and(|deadline| Instant::now() + CLOSING > deadline);
        Claim::of(find).grade == Grade::FullStack || self.rounds >= since + SETTLED || is_closing
    }

    fn deadline(&self) -> Option<Instant> {
        match self.settings.budget {
            Budget::Time(limit) => Some(self.started + limit),
            Budget::Candidates(_) => None,
        }
    }

    /// Nothing is left of a budget of time: what is found now is made small at most.
    fn is_over(&self) -> bool {
        self.deadline().is_some_and(|deadline| Instant::now() >= deadline)
    }

    fn may_go_on(&self) -> bool {
        let within = match self.settings.budget {
            Budget::Time(limit) => self.started.elapsed() < limit,
            Budget::Candidates(limit) => self.effort.candidates < limit,
        };
        within && !self.settings.stop.load(Ordering::Relaxed)
    }

    /// Whether a confirmation that takes long ends in time.
    fn has_time_to_confirm(&self) -> bool {
        self.may_go_on() && self.deadline().is_none_or(|deadline| Instant::now() + 2 * CLOSING < deadline)
    }

    /// The next round, as far as the budget allows for one.
    fn propose(&mut self, search: &mut Search) -> Round {
        let size = FIRST_ROUNDS.get(self.proposed_rounds).copied().unwrap_or(ROUND);
        let size = match self.settings.budget {
            Budget::Time(_) => size,
            Budget::Candidates(limit) => size.min((limit - self.proposed) as usize),
        };
        let round = search.propose(size, self.deadline());
        self.proposed_rounds += 1;
        self.proposed += round.recipes.len() as u64;
        round
    }

    /// The full stack is confirmed, and the test cannot be better or enough was done to make it so.
    fn is_good_enough(&self) -> bool {
        if self.confirmer.is_err() {
            return self.claimed.grade == Grade::FullStack;
        }
        let (Some(best), Some((time, candidates))) = (&self.confirmed, self.full_since) else { return false };
        let same_message = best.judgement.comparison.as_ref().is_some_and(|c| c.message.is_same());
        let shows_bug = best.fixed.is_none_or(|fixed| fixed == Fixed::Passes);
        let is_perfect = shows_bug && same_message && best.flags.is_empty() && self.claimed.demerits.0 == 0;
        let is_polished = match self.settings.budget {
            Budget::Time(limit) => self.started.elapsed() > time + limit.mul_f64(POLISHING),
            Budget::Candidates(limit) => self.effort.candidates > candidates + (limit as f64 * POLISHING) as u64,
        };
        is_perfect || is_polished
    }

    fn round_event(&self, search: &Search) -> Event {
        let best = search.best().map_or("nothing yet".into(), describe);
        Event::Round { candidates: self.effort.candidates, elapsed: self.started.elapsed(), best }
    }

    fn claim_pending(
        &mut self,
        search: &mut Search,
        runner: &mut dyn Runner,
        plan: &ProbePlan,
        events: &mut dyn FnMut(Event),
    ) -> Result<(), ReproduceError> {
        match self.pending.take() {
            Some((find, _)) => self.claim(&find, search, runner, plan, events),
            None => Ok(()),
        }
    }

    /// A candidate shows more than any before: minimise it, print it, and ask fresh JVMs.
    fn claim(
        &mut self,
        find: &Find,
        search: &mut Search,
        runner: &mut dyn Runner,
        plan: &ProbePlan,
        events: &mut dyn FnMut(Event),
    ) -> Result<(), ReproduceError> {
        let (claim, before) = (Claim::of(find), self.claimed);
        let claimed = claim.grade;
        let is_race = evolve::is_race(&find.recipe);
        // How deep a stack gets depends on everything that is on it: that is not touched but to make it deeper.
        let is_delicate = is_race || self.goal.is_stack_overflow;
        self.races += u32::from(is_race);
        let naturally = claimed == Grade::FullStack && !is_delicate && !self.is_over();
        let Some((mut recipe, mut demerits)) = self.prepare(find, naturally, search, runner, plan)? else {
            search.disregard(find);
            return Ok(());
        };
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
        if judged.grade < claimed {
            self.effort.refuted += 1;
            let why = judged.why.clone().unwrap_or_default();
            let source = tried.test.as_ref().map(|test| test.text.clone());
            events(Event::Refuted { claimed, confirmed: judged.grade, why, source });
        }
        // Neither what a fresh JVM refutes nor what fails on the fixed build as well is what is looked for.
        let is_true = judged.grade >= claimed;
        let is_wanted = self.keep(&recipe, demerits, tried, events)? && is_true;
        let may_look_for_more = self.effort.claims < MAX_CLAIMS;
        if !is_wanted && may_look_for_more {
            search.refute(find);
            self.claimed = before;
        } else if demerits > find.fitness.demerits && may_look_for_more {
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
        let mut recipe = find.recipe.clone();
        if naturally {
            recipe = natural::with_nulls_shown(recipe, runner, plan, &keeps)?;
            if claim.with(search.demerits(&recipe, find.entry)) <= self.claimed {
                return Ok(None);
            }
            recipe = natural::naturalise(recipe, find, search, runner, plan, &keeps, &self.settings.stop)?;
        }
        let demerits = |recipe: &Recipe| search.demerits(recipe, find.entry);
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
        } else if evolve::is_race(&recipe) {
            let Some(times) = overflow::meetings(&recipe, runner, plan, &keeps)? else { return Ok(None) };
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
        let print = |refused: &BTreeSet<Use>| self.print_as(Style::Red, recipe, refused);
        let mut options = self.confirm_options();
        if evolve::is_race(recipe) {
            options.runs = options.runs.max(RUNS_OF_RACES);
        }
        let confirm = |test: &TestSource| self.confirm(confirmer, test, &options);
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

    fn print_as(&self, style: Style, recipe: &Recipe, refused: &BTreeSet<Use>) -> Result<TestSource, Inexpressible> {
        write::print(recipe, style, refused, &self.crash.throwable, &self.expected, self.program, self.settings)
    }

    /// The grade of what a worker saw, and how right the message is.
    fn shows(&self, seen: &Observation) -> (Grade, u8) {
        let End::Threw { thrown, .. } = &seen.end else { return (Grade::None, 0) };
        let comparison = evolve::compare_with_goal(self.goal, thrown, &*self.crash.is_application);
        comparison.map_or((Grade::None, 0), |c| (c.exact.grade, rightness(c.message)))
    }

    fn confirm(
        &self,
        confirmer: &Confirmer,
        test: &TestSource,
        options: &ConfirmOptions,
    ) -> Result<Confirmation, ConfirmError> {
        let setting = Setting { class_path: &self.settings.class_path, program: self.program };
        let file = TestFile { path: test.path.clone(), text: test.text.clone() };
        confirmer.confirm(&[file], &setting, options)
    }

    fn judge(&self, confirmation: &Confirmation) -> Judgement {
        let same_template = |_: &str, actual: &str| self.goal.is_instance(actual);
        judge(confirmation, &self.crash.throwable, true, &*self.crash.is_application, &same_template)
    }

    /// The same as a test that passes while the bug exists, with the most telling assertion that fresh JVMs uphold; none if
    /// the crash is not the same in each run.
    fn asserting(&self, recipe: &Recipe, tried: &Tried) -> Result<Option<TestSource>, ReproduceError> {
        let Ok(confirmer) = &self.confirmer else { return Ok(None) };
        // Messages as the user's own runs will show them.
        let options = ConfirmOptions { helpful_messages: true, ..self.confirm_options() };
        for expected in Assertions::of(&tried.judgement, &self.expected) {
            let Ok(test) = self.print_as(Style::AssertThrows(expected), recipe, &tried.refused) else { break };
            if passes(&self.confirm(confirmer, &test, &options)?) {
                return Ok(Some(test));
            }
        }
        Ok(None)
    }

    fn write_unconfirmed(&mut self, recipe: &Recipe) -> Result<(), ReproduceError> {
        let style = if self.settings.assert_throws {
            Style::AssertThrows(assertion::unconfirmed(&self.crash.throwable, &self.expected))
        } else {
            Style::Red
        };
        // What source has no words for is not written; another candidate may be.
        let Ok(test) = self.print_as(style, recipe, &BTreeSet::new()) else { return Ok(()) };
        let old = self.unconfirmed.replace(self.write(&test)?);
        if let Some(old) = old.filter(|old| Some(old) != self.unconfirmed.as_ref()) {
            std::fs::remove_file(old).ok();
        }
        Ok(())
    }

    fn write(&self, test: &TestSource) -> Result<PathBuf, ReproduceError> {
        write::write(test, self.settings).map_err(|source| ReproduceError::Unwritable {
            directory: self.settings.out.clone(),
            test: test.text.clone(),
            source,
        })
    }

    /// Two of them fit into what is left of the time, but on a busy machine even a short one takes seconds.
    fn longest_run(&self) -> Duration {
        let Some(deadline) = self.deadline() else { return LONGEST_UNTIMED_RUN };
        let left = (deadline + OVERTIME).saturating_duration_since(Instant::now());
        (left / 2).clamp(SHORTEST_RUN, LONGEST_RUN)
    }

    fn confirm_options(&self) -> ConfirmOptions {
        ConfirmOptions {
            time_limit: self.longest_run(),
            jvm_args: self.settings.jvm_args.clone(),
            helpful_messages: self.crash.throwable.message.is_some(),
            ..ConfirmOptions::default()
        }
    }

    /// Keeps the test if it is the best so far; false if it fails on the fixed build as well.
    fn keep(
        &mut self,
        recipe: &Recipe,
        demerits: u32,
        tried: Tried,
        events: &mut dyn FnMut(Event),
    ) -> Result<bool, ReproduceError> {
        let (Some(test), judgement) = (&tried.test, &tried.judgement) else { return Ok(false) };
        let fixed = if judgement.grade > Grade::None { self.on_fixed(test, judgement)? } else { None };
        let shows_bug = fixed.is_none_or(|fixed| fixed == Fixed::Passes);
        let mut flags = flags_of(test, recipe);
        if judgement.flaky {
            flags.push(Flag::Flaky);
        }
        let statements = recipe.size().statements;
        let rank = rank(judgement, shows_bug, demerits, statements);
        let better = self.confirmed.as_ref().is_none_or(|best| rank > best.rank);
        if judgement.grade == Grade::None || !better {
            return Ok(shows_bug);
        }
        let asserting = if self.settings.assert_throws { self.asserting(recipe, &tried)? } else { None };
        let test = asserting.unwrap_or_else(|| test.clone());
        if judgement.grade == Grade::FullStack {
            self.full_since.get_or_insert((self.started.elapsed(), self.effort.candidates));
        }
        let elapsed = self.started.elapsed();
        self.effort.to_first.get_or_insert(elapsed);
        self.effort.to_best = Some(elapsed);
        events(Event::Confirmed { grade: judgement.grade, elapsed });
        let path = self.write(&test)?;
        if let Some(old) = self.confirmed.as_ref().filter(|old| old.path != path) {
            std::fs::remove_file(&old.path).ok();
        }
        let judgement = tried.judgement;
        self.confirmed = Some(Confirmed { judgement, rank, test, path, fixed, flags, statements });
        Ok(shows_bug)
    }

    /// What the test does with the fixed jars, if there are any.
    fn on_fixed(&self, test: &TestSource, judgement: &Judgement) -> Result<Option<Fixed>, ReproduceError> {
        let (Some(class_path), Ok(confirmer)) = (&self.settings.fixed, &self.confirmer) else { return Ok(None) };
        let (program, _) = Program::open(class_path, self.program.jdk().clone(), &Cache::of_user())?;
        let setting = Setting { class_path, program: &program };
        let file = TestFile { path: test.path.clone(), text: test.text.clone() };
        let options = ConfirmOptions { runs: 1, ..self.confirm_options() };
        let confirmation = confirmer.confirm(&[file], &setting, &options)?;
        let (crash, name) = (self.crash, judgement.test.as_deref());
        Ok(Some(judge_fixed(&confirmation, name, &crash.throwable, &*crash.is_application)))
    }

    fn verdict(mut self, target: &CrashTarget, search: &Search) -> Verdict {
        self.effort.elapsed = self.started.elapsed();
        let of = self.expected.len() as u32;
        let Some(best) = self.confirmed.take() else {
            return Verdict {
                grade: Grade::None,
                frames: FrameCount { matched: 0, of },
                message: None,
                fixed: None,
                test: None,
                engine: None,
                flags: Vec::new(),
                reason: Some(reason(target, search, None, self.program, self.broken.as_ref())),
                effort: self.effort,
                seed: self.settings.seed,
            };
        };
        let comparison = best.judgement.comparison.as_ref();
        Verdict {
            grade: best.judgement.grade,
            frames: comparison.map_or(FrameCount { matched: 0, of }, |c| FrameCount {
                matched: c.exact.matched as u32,
                of: c.exact.of as u32,
            }),
            message: comparison.map(|c| c.message.is_same()),
            fixed: best.fixed,
            test: Some(WrittenTest {
                path: best.path,
                command: write::command(&best.test, self.settings, self.program),
                source: best.test.text,
                statements: best.statements,
            }),
            engine: Some("evolve"),
            flags: best.flags,
            reason: (best.judgement.grade != Grade::FullStack)
                .then(|| reason(target, search, comparison, self.program, self.broken.as_ref())),
            effort: self.effort,
            seed: self.settings.seed,
        }
    }
}

/// Which of two confirmed tests is better: more frames, not flaky, passing on the fixed build, the message, more natural,
/// fewer statements.
type Rank = (Grade, bool, bool, u8, std::cmp::Reverse<u32>, std::cmp::Reverse<u32>);

fn rank(judgement: &Judgement, shows_bug: bool, demerits: u32, statements: u32) -> Rank {
    let message = judgement.comparison.as_ref().map_or(0, |c| rightness(c.message));
    (judgement.grade, !judgement.flaky, shows_bug, message, std::cmp::Reverse(demerits), std::cmp::Reverse(statements))
}

fn flags_of(test: &TestSource, recipe: &Recipe) -> Vec<Flag> {
    let mut flags = Vec::new();
    if test.flags.reflection {
        flags.push(Flag::Reflection);
    }
    if test.flags.in_package {
        flags.push(Flag::InPackage);
    }
    let last = recipe.body.stmts.last();
    let passes_null = |action: &Action| action.args().any(|arg| matches!(arg, Arg::Literal(Literal::Null(_))));
    if last.is_some_and(|stmt| passes_null(&stmt.action)) {
        flags.push(Flag::NullIntoFrame1);
    }
    flags
}

fn application_frames(target: &CrashTarget) -> usize {
    target.frames.iter().filter(|frame| matches!(frame.role, FrameRole::Application(_))).count()
}

fn expected_frames(target: &CrashTarget) -> Vec<ExpectedFrame> {
    let application = target.frames.iter().filter(|frame| matches!(frame.role, FrameRole::Application(_)));
    application
        .map(|frame| ExpectedFrame {
            class: ClassName::from_dotted(&frame.frame.class),
            method: frame.frame.method.clone(),
            line: frame.frame.line.filter(|_| matches!(frame.binding, Binding::Bound { .. })),
        })
        .collect()
}

/// The classes of the trace and of its causes.
fn near(target: &CrashTarget) -> Vec<ClassName> {
    let of_causes = target.causes.iter().flat_map(|cause| &cause.frames);
    target.frames.iter().chain(of_causes).map(|frame| ClassName::from_dotted(&frame.frame.class)).collect()
}
