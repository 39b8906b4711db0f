//! The run: derive the target, search in rounds, confirm what the search finds, end with a verdict.

mod claim;
mod keep;

use crate::confirming::Confirming;
use crate::event::Event;
use crate::output::Output;
use crate::reason::{self, describe, reason};
use crate::search::Search;
use crate::settings::{Budget, Settings};
use crate::verdict::{Effort, Fixed, Flag, FrameCount, Reason, Unreachable, Verdict, unreachable};
use claim::Claim;
use confirm::ConfirmError;
use crash_report::Throwable;
use engine::{Candidate, Factory, Find, FrameCondition, Goal, Setup, Waypoint};
use junit::ExpectedFrame;
use keep::Confirmed;
use objects::Catalogue;
use program::{Cache, ClassName, ClassPath, Program, ProgramError};
use recipe::{Observation, ProbePlan, Recipe, Runner, RunnerError};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use target::{Binding, CrashTarget, FrameRole, Methods};

/// Candidates of the first rounds, and of all later ones: the easy crashes are not to wait for a large round.
const FIRST_ROUNDS: [usize; 2] = [40, 60];
pub(crate) const ROUND: usize = 100;
/// Rounds in a row without a candidate, though some engine still hopes for one, after which a search ends that no clock ends.
const MOST_EMPTY_ROUNDS: u32 = 50;
/// After a round without a candidate.
const PAUSE: Duration = Duration::from_millis(20);
/// Rounds without a better candidate before one that does not show the full stack is confirmed.
const SETTLED: u32 = 8;
/// Time that a confirmation takes: what waits for one gets it this long before the budget is spent, or when so much of a small
/// budget is left.
const CLOSING: Duration = Duration::from_secs(3);
const CLOSING_SHARE: u32 = 4;
/// Once the full stack is confirmed, this share of the budget goes into a more useful test.
const POLISHING: f64 = 0.25;

/// The crash to reproduce.
#[derive(Clone)]
pub struct Crash {
    pub throwable: Throwable,
    /// What the log says before the trace; empty if nothing.
    pub before: String,
    /// What was recorded of the run, in order; empty if nothing.
    pub waypoints: Vec<Waypoint>,
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
    /// The machine's fault.
    #[error("no thread can be started for an engine")]
    Threads(#[source] std::io::Error),
    /// The caller's fault: the search went well, but there is no compiler to confirm its test with.
    #[error("the test `{}` could not be confirmed", test.display())]
    Unconfirmed { test: PathBuf, source: ConfirmError },
    /// The output directory's fault. The confirmed test is in here, so that it is not lost.
    #[error("cannot write the test to `{}`", directory.display())]
    Unwritable { directory: PathBuf, test: String, source: std::io::Error },
}

/// Who runs candidates, and who confirms tests: without a compiler the search is still worth its while, since the test can be
/// confirmed elsewhere.
pub struct Tools<'a> {
    pub runner: &'a mut dyn Runner,
    pub confirmer: Result<Box<dyn Confirming>, ConfirmError>,
}

impl std::fmt::Debug for Tools<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tools").field("confirms", &self.confirmer.is_ok()).finish_non_exhaustive()
    }
}

/// Does the job. `events` sees what happens as it happens.
pub fn reproduce(
    crash: &Crash,
    program: &Arc<Program>,
    settings: &Settings,
    Tools { runner, confirmer }: Tools<'_>,
    events: &mut dyn FnMut(Event),
) -> Result<Verdict, ReproduceError> {
    settings.so_far.doing("the frames of the crash were still being looked up");
    let methods = Arc::new(Methods::new(Arc::clone(program)));
    let target = Arc::new(CrashTarget::derive(&crash.throwable, &methods, &*crash.is_application));
    let goal = Arc::new(Goal::new(&target, crash.throwable.clone(), &methods));
    let missing = target.missing(program).into_iter().filter_map(|(class, by)| Some((class, *by.first()?))).collect();
    events(Event::Target { frames: application_frames(&target), bound: goal.frames.len(), missing });
    let mut job = Job::new(crash, program, settings, confirmer, (&goal, &target));
    settings.so_far.update(|verdict| {
        verdict.frames = job.no_frames();
        verdict.unreachable.clone_from(&job.out_of_reach);
        job.name(verdict);
    });
    if let Some(reason) = reason::out_of_reach(&job.out_of_reach) {
        return Ok(Verdict { reason: Some(reason), ..job.nothing_shown() });
    }
    settings.so_far.doing("no candidate had been made yet");
    let mut setup = setup(crash, &methods, settings.examples.as_ref(), (&goal, &target))?;
    (setup.seed, setup.is_counted) = (settings.seed, matches!(settings.clock.budget, Budget::Candidates(_)));
    let setup = Arc::new(setup);
    let mut search = Search::new(&setup, settings).map_err(ReproduceError::Threads)?;
    match job.search(&mut search, runner, events) {
        // What was confirmed before counts all the same.
        Err(ReproduceError::Runner(error)) if job.confirmed.is_some() => job.broken = Some(error),
        ended => ended?,
    }
    job.denied = runner.denied();
    match (job.unconfirmed.take(), job.confirmer) {
        (Some(test), Err(source)) => Err(ReproduceError::Unconfirmed { test, source }),
        (None, Err(error)) => Err(error.into()),
        (_, Ok(confirmer)) => Ok(Job { confirmer: Ok(confirmer), ..job }.verdict(&target, &search)),
    }
}

/// What engines are made from.
fn setup(
    crash: &Crash,
    methods: &Arc<Methods>,
    examples: Option<&ClassPath>,
    (goal, target): (&Arc<Goal>, &Arc<CrashTarget>),
) -> Result<Setup, ReproduceError> {
    let program = methods.program();
    let mut catalogue = Catalogue::new(program.clone(), &near(target)).with_methods(Arc::clone(methods));
    if let Some(examples) = examples {
        let (examples, _) = Program::open(examples, program.jdk().clone(), &Cache::of_user())?;
        catalogue = catalogue.with_examples(Arc::new(examples));
    }
    Ok(Setup {
        target: target.clone(),
        goal: goal.clone(),
        program: program.clone(),
        catalogue: Arc::new(catalogue),
        is_application: crash.is_application.clone(),
        before: crash.before.clone(),
        seed: 0,
        is_counted: false,
        waypoints: crash.waypoints.clone(),
    })
}

/// What engines can say of the crash before anything is run.
pub fn explain(
    crash: &Crash,
    program: &Arc<Program>,
    engines: &[Arc<dyn Factory>],
    deadline: Instant,
) -> Result<Vec<FrameCondition>, ReproduceError> {
    let methods = Arc::new(Methods::new(Arc::clone(program)));
    let target = Arc::new(CrashTarget::derive(&crash.throwable, &methods, &*crash.is_application));
    let goal = Arc::new(Goal::new(&target, crash.throwable.clone(), &methods));
    let setup = setup(crash, &methods, None, (&goal, &target))?;
    Ok(engine::explain(engines, &setup, deadline))
}

struct Job<'a> {
    crash: &'a Crash,
    program: &'a Arc<Program>,
    settings: &'a Settings,
    confirmer: Result<Box<dyn Confirming>, ConfirmError>,
    /// The best test, written without confirmation.
    unconfirmed: Option<PathBuf>,
    goal: Arc<Goal>,
    expected: Vec<ExpectedFrame>,
    /// The frames of the log that no test can see.
    out_of_reach: Vec<Unreachable>,
    output: Arc<Output>,
    effort: Effort,
    confirmed: Option<Confirmed>,
    /// The best that a worker has shown and that was tried to confirm.
    claimed: Claim,
    /// A better candidate that waits for its confirmation, and the round it was found in.
    pending: Option<(Find, u32)>,
    rounds: u32,
    /// Candidates in which threads meet that were looked at to be claimed.
    races: u32,
    asked_rounds: usize,
    /// Candidates made, the round that is still to be run included.
    proposed: u64,
    /// Rounds in a row in which no engine had a candidate.
    empty_rounds: u32,
    /// When a test was confirmed that is right in all but its looks: time and candidates.
    right_since: Option<(Duration, u64)>,
    /// Why the search could not go on.
    broken: Option<RunnerError>,
    /// Files that the program was kept from reading.
    denied: Vec<PathBuf>,
    /// Facts of engines that observations contradicted.
    contradicted: u32,
    /// Engines that failed, as far as that was told.
    left_out: usize,
}

impl<'a> Job<'a> {
    fn new(
        crash: &'a Crash,
        program: &'a Arc<Program>,
        settings: &'a Settings,
        confirmer: Result<Box<dyn Confirming>, ConfirmError>,
        (goal, target): (&Arc<Goal>, &CrashTarget),
    ) -> Job<'a> {
        Job {
            crash,
            program,
            settings,
            confirmer,
            unconfirmed: None,
            goal: goal.clone(),
            expected: expected_frames(target),
            out_of_reach: unreachable(target),
            output: Arc::new(Output::new(&settings.out, &format!("{:?}", crash.throwable))),
            effort: Effort::default(),
            confirmed: None,
            claimed: Claim::default(),
            pending: None,
            rounds: 0,
            races: 0,
            asked_rounds: 0,
            proposed: 0,
            empty_rounds: 0,
            right_since: None,
            broken: None,
            denied: Vec::new(),
            contradicted: 0,
            left_out: 0,
        }
    }
}

impl Job<'_> {
    fn search(
        &mut self,
        search: &mut Search,
        runner: &mut dyn Runner,
        events: &mut dyn FnMut(Event),
    ) -> Result<(), ReproduceError> {
        runner.set_deadline(self.settings.clock.deadline());
        self.ask(search);
        let mut next = self.collect(search);
        while self.may_go_on() && search.is_open() && !self.is_out_of_ideas() {
            let plan = search.plan();
            let round = next;
            // Neither waits for the other: the next round is made while this one runs, and does not know yet what it shows.
            self.ask(search);
            let recipes: Vec<&Recipe> = round.iter().map(|candidate| candidate.recipe()).collect();
            let observations = if recipes.is_empty() { Vec::new() } else { runner.run_each(&recipes, &plan)? };
            self.learn(round, observations, search, events);
            if self.pending.as_ref().is_some_and(|(find, since)| self.is_due(find, *since)) {
                self.claim_pending(search, runner, &plan, events)?;
            }
            if self.is_good_enough() {
                break;
            }
            // Last of all: whoever still thinks holds up nothing that was found.
            next = self.collect(search);
        }
        self.tell_left_out(search, events);
        // What was found last is confirmed even if the budget is spent, but not for the sake of a nicer test.
        let confirmed = self.confirmed.as_ref().map(|best| (best.judgement.grade, best.message_rank()));
        let shown = |find: &Find| Some((Claim::of(find).grade, Claim::of(find).message));
        if self.pending.as_ref().is_some_and(|(find, _)| shown(find) <= confirmed) {
            return Ok(());
        }
        self.claim_pending(search, runner, &search.plan(), events)
    }

    /// Takes note of what the candidates of a round did. What shows more than anything before waits for its confirmation.
    fn learn(
        &mut self,
        round: Vec<Arc<Candidate>>,
        observations: Vec<Observation>,
        search: &mut Search,
        events: &mut dyn FnMut(Event),
    ) {
        // Near the deadline the last ones are not run.
        self.effort.candidates += observations.len() as u64;
        // What a limit left out may happen all the same.
        let faults = search.contradicted(&observations).iter().filter(|fact| !fact.cut).count();
        self.contradicted += faults as u32;
        let find = search.learn(round, observations);
        self.tell_round(search, events);
        self.rounds += 1;
        let Some(find) = find.filter(|find| find.assessment.is_crash() && self.is_progress(&Claim::of(find))) else {
            return;
        };
        if self.is_worth_a_claim(&find) {
            self.hold_ready(find.candidate.recipe(), Claim::of(&find).grade);
            self.pending = Some((find, self.rounds));
        } else {
            search.refute(&find);
        }
    }

    /// A nicer test is worth a confirmation where it shows the whole crash; before that, only a few times.
    fn is_progress(&self, claim: &Claim) -> bool {
        const FEW: u32 = 4;
        let shows_more = (claim.grade, claim.message) > (self.claimed.grade, self.claimed.message);
        *claim > self.claimed && (shows_more || claim.grade.is_full() || self.effort.claims < FEW)
    }

    /// Threads that met once seldom meet every time: what they show is tried to confirm a few times, and only if it is all there is
    /// to show.
    fn is_worth_a_claim(&self, find: &Find) -> bool {
        const RACES: u32 = 8;
        !find.candidate.recipe().is_race() || (Claim::of(find).grade.is_full() && self.races < RACES)
    }

    /// Each confirmation costs seconds, in which a better candidate is often found: only the full stack is confirmed at once,
    /// and what there is when the time runs out.
    fn is_due(&self, find: &Find, since: u32) -> bool {
        let is_closing = !self.has_left(self.closing());
        Claim::of(find).grade.is_full() || self.rounds >= since + SETTLED || is_closing
    }

    fn closing(&self) -> Duration {
        match self.settings.clock.budget {
            Budget::Time(limit) => CLOSING.min(limit / CLOSING_SHARE),
            Budget::Candidates(_) => Duration::ZERO,
        }
    }

    /// Whether so much is left of a budget of time; any other is not measured in it.
    fn has_left(&self, time: Duration) -> bool {
        self.settings.clock.deadline().is_none_or(|deadline| Instant::now() + time < deadline)
    }

    fn may_go_on(&self) -> bool {
        let within = match self.settings.clock.budget {
            Budget::Time(_) => !self.settings.clock.is_spent(),
            Budget::Candidates(limit) => self.effort.candidates < limit,
        };
        within && !self.settings.stop.load(Ordering::Relaxed)
    }

    /// Whether a confirmation that takes long ends in time.
    fn has_time_to_confirm(&self) -> bool {
        self.may_go_on() && self.has_left(2 * self.closing())
    }

    /// Has the engines think about the next round, as far as the budget allows for one.
    fn ask(&mut self, search: &mut Search) {
        let size = FIRST_ROUNDS.get(self.asked_rounds).copied().unwrap_or(ROUND);
        self.asked_rounds += 1;
        search.ask(size.min(self.unproposed()));
    }

    fn collect(&mut self, search: &mut Search) -> Vec<Arc<Candidate>> {
        let round = search.collect(self.unproposed());
        self.proposed += round.len() as u64;
        self.empty_rounds = if round.is_empty() { self.empty_rounds + 1 } else { 0 };
        if let (true, Some(deadline)) = (round.is_empty(), self.settings.clock.deadline()) {
            // Whoever has nothing now need not be asked again at once.
            std::thread::sleep(PAUSE.min(deadline.saturating_duration_since(Instant::now())));
        }
        round
    }

    /// Nobody has had a candidate for long, and no clock would end that.
    fn is_out_of_ideas(&self) -> bool {
        matches!(self.settings.clock.budget, Budget::Candidates(_)) && self.empty_rounds >= MOST_EMPTY_ROUNDS
    }

    /// Candidates that the budget still has room for.
    fn unproposed(&self) -> usize {
        match self.settings.clock.budget {
            Budget::Time(_) => usize::MAX,
            Budget::Candidates(limit) => usize::try_from(limit - self.proposed).unwrap_or(usize::MAX),
        }
    }

    /// The crash is confirmed, with its messages and gone on the fixed build, and the test cannot be better or enough was done to
    /// make it so. A test of the stack alone may be one of another bug: the search for this one goes on.
    fn is_good_enough(&self) -> bool {
        if self.confirmer.is_err() {
            return self.claimed.grade.is_full();
        }
        let right = self.confirmed.as_ref().filter(|best| best.is_right());
        let (Some(best), Some((time, candidates))) = (right, self.right_since) else { return false };
        let shows_bug = best.fixed.is_none_or(|fixed| fixed == Fixed::Passes);
        // Whose stack a library replaces, whatever the test: no other would do better.
        let is_as_it_must = best.flags.iter().all(|flag| *flag == Flag::ReplacedStack);
        let is_perfect = shows_bug && is_as_it_must && self.claimed.demerits.0 == 0;
        let is_polished = match self.settings.clock.budget {
            Budget::Time(limit) => self.settings.clock.elapsed() > time + limit.mul_f64(POLISHING),
            Budget::Candidates(limit) => self.effort.candidates > candidates + (limit as f64 * POLISHING) as u64,
        };
        is_perfect || is_polished
    }

    fn tell_left_out(&mut self, search: &Search, events: &mut dyn FnMut(Event)) {
        for (engine, why) in search.left_out().skip(self.left_out) {
            events(Event::LeftOut { engine, why: why.to_owned() });
            self.left_out += 1;
        }
    }

    fn tell_round(&mut self, search: &Search, events: &mut dyn FnMut(Event)) {
        self.tell_left_out(search, events);
        let best = search.best().map_or("nothing yet".into(), describe);
        self.settings.so_far.update(|verdict| {
            verdict.effort = self.effort;
            if !verdict.is_success() {
                verdict.reason = Some(Reason::Budget { explanation: best.clone() });
            }
        });
        events(Event::Round { candidates: self.effort.candidates, elapsed: self.settings.clock.elapsed(), best });
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

    /// Before anything is confirmed.
    fn no_frames(&self) -> FrameCount {
        let of = self.expected.len() as u32;
        FrameCount { matched: 0, of, reachable: self.reachable(of) }
    }

    /// Of so many frames, those that a test can see.
    fn reachable(&self, of: u32) -> u32 {
        self.out_of_reach.first().map_or(of, |first| (first.number - 1).min(of))
    }

    /// What the verdict is about.
    fn name(&self, verdict: &mut Verdict) {
        verdict.exception = Some(self.crash.throwable.clone());
        verdict.jdk = Some(self.program.jdk().version.clone());
    }

    /// Why no more was reproduced.
    fn reason(&self, target: &CrashTarget, search: &Search) -> Reason {
        let full = self.confirmed.as_ref().filter(|best| best.judgement.grade.is_full());
        let of_fragment = |entered| reason::of_fragment(entered, target, search, self.program);
        let of_full =
            full.and_then(|best| best.entered.map(of_fragment).or_else(|| best.fixed.and_then(reason::on_fixed)));
        let nameless = || self.confirmed.as_ref()?.nameless().map(reason::of_nameless);
        of_full.or_else(nameless).unwrap_or_else(|| {
            let comparison = self.confirmed.as_ref().and_then(|best| best.judgement.comparison.as_ref());
            reason(target, search, comparison, self.program, (self.broken.as_ref(), &self.denied))
        })
    }

    /// What there is to say before anything is confirmed.
    fn nothing_shown(&self) -> Verdict {
        let effort = Effort { elapsed: self.settings.clock.elapsed(), ..self.effort };
        let mut verdict = Verdict { frames: self.no_frames(), effort, seed: self.settings.seed, ..Verdict::default() };
        verdict.contradicted = self.contradicted;
        verdict.unreachable.clone_from(&self.out_of_reach);
        self.name(&mut verdict);
        verdict
    }

    fn verdict(self, target: &CrashTarget, search: &Search) -> Verdict {
        let mut verdict = self.nothing_shown();
        verdict.conditions = search.conditions();
        verdict.counts = search.counts();
        verdict.left_out = search.left_out().map(|(engine, why)| (engine, why.to_owned())).collect();
        if let Some(best) = &self.confirmed {
            self.describe(best, &mut verdict);
        }
        if !verdict.is_success() {
            verdict.reason = Some(self.reason(target, search));
            verdict.explanations = search.explanations();
        }
        if let Some(unconfirmed) = self.settings.so_far.unconfirmed().filter(|_| !verdict.is_success()) {
            verdict.add(&unconfirmed);
        }
        verdict
    }
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
