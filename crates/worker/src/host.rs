//! The [`Runner`] on real JVMs: one worker pool per job, a probe plan made into probes, readings made into observations.
//!
//! Recipes are dealt out in contiguous shares and the answers put together in order, so that the number of jobs does not
//! show in the result. A VM costs a tenth of a second to start and seconds to warm up, and many searches are over after a
//! few dozen candidates: there is one job at first, and more as the work goes on.

use super::{Case, Probes, ShowProbes, ValueSpot, WorkerConfig, WorkerFailure, WorkerPool, WorkerStatistics};
use crate::conditions::Watch;
use crate::reads::{Reads, snapshot_line};
use crate::shown;
use condition::Expr;
use program::{CodePoint, InstrId, MethodRef, Program};
use recipe::{
    Aim, BranchDistance, End, LineHit, Observation, PlaceToShow, ProbePlan, Recipe, Runner, RunnerError, Show, Shown,
};
use sandbox::{Readable, denied_file, may_be_denied, thread_stack};
use splice::readings::{Readings, Value};
use splice::{ProbeKind, ProbeSite};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// What all workers have in common.
#[derive(Clone, Debug)]
pub struct HostConfig {
    /// What re-executes this program as a worker.
    pub command: Vec<OsString>,
    pub class_path: Vec<PathBuf>,
    /// Classes (binary names) without which nothing is worth running.
    pub link: Vec<String>,
    /// What candidates may read beyond the program and the JDK.
    pub allow_read: Vec<PathBuf>,
    /// Options for the VM, as the user gave them.
    pub vm_args: Vec<String>,
    pub sandboxed: bool,
    pub jobs: usize,
    /// Whether each worker gets the same recipes in the same order in every run. What candidates leave behind in a VM is little
    /// ([docs/noise.md]), but when the clock deals them out, it is not the same little.
    pub repeatable: bool,
}

#[derive(Debug)]
pub struct Host {
    config: HostConfig,
    program: Arc<Program>,
    running: Option<Running>,
    /// How the workers of earlier plans have fared.
    past: WorkerStatistics,
    deadline: Option<Instant>,
    denials: Denials,
}

/// Workers that carry the probes of one plan.
#[derive(Debug)]
struct Running {
    plan: ProbePlan,
    watches: Arc<Watches>,
    config: WorkerConfig,
    pools: Vec<WorkerPool>,
    /// Time for which they have been run, and recipes that they have been given.
    spent: Duration,
    given: usize,
}

/// What is read at places of the program: for conditions first, then for snapshots.
#[derive(Debug)]
struct Watches {
    conditions: Vec<Watch>,
    places: Vec<Place>,
}

#[derive(Debug)]
struct Place {
    at: CodePoint,
    values: Vec<Expr>,
    reads: Reads,
}

/// The number of jobs doubles whenever the work so far has taken this long for each: about as much as the next one costs before
/// it is as fast. Most searches are over by then.
const PATIENCE: Duration = Duration::from_millis(1500);
/// The same counted in recipes, where the clock must have no say.
const PATIENCE_IN_RECIPES: usize = 600;
/// Recipes handed to a job at once, if there are as many.
const SMALLEST_SHARE: usize = 8;

impl Host {
    pub fn new(config: HostConfig, program: Arc<Program>) -> Host {
        Host {
            config,
            program,
            running: None,
            past: WorkerStatistics::default(),
            deadline: None,
            denials: Denials::default(),
        }
    }

    /// How the workers have fared, all jobs together.
    pub fn statistics(&self) -> WorkerStatistics {
        let pools = self.running.iter().flat_map(|running| &running.pools);
        pools.fold(self.past.clone(), |sum, pool| sum + pool.statistics())
    }

    /// Workers with the probes of the plan. Those that run are told of another plan than before, and replaced only where it
    /// takes a VM of another kind.
    fn running(&mut self, plan: &ProbePlan) -> Result<&mut Running, RunnerError> {
        if self.running.as_ref().is_none_or(|running| running.plan != *plan) && !self.change_over(plan) {
            self.past = self.statistics();
            self.running = None;
            self.running = Some(self.start(plan)?);
        }
        Ok(self.running.as_mut().expect("it was just set"))
    }

    /// Has the workers observe by another plan, if they can.
    fn change_over(&mut self, plan: &ProbePlan) -> bool {
        let watches = self.watches(plan);
        let config = self.worker_config(plan, &watches);
        let Some(running) = &mut self.running else { return false };
        let observing = config.observing();
        if !running.config.observing().can_become(&observing) {
            return false;
        }
        running.pools.iter_mut().for_each(|pool| pool.observe(observing.clone()));
        (running.plan, running.watches, running.config) = (plan.clone(), Arc::new(watches), config);
        true
    }

    fn watches(&self, plan: &ProbePlan) -> Watches {
        let place = |place: &PlaceToShow| {
            let reads = Reads::of_values(&place.values, place.at.method, &self.program);
            Place { at: place.at, values: place.values.clone(), reads }
        };
        Watches {
            conditions: plan.conditions.iter().map(|anchor| Watch::new(anchor, &self.program)).collect(),
            places: plan.show.places.iter().map(place).collect(),
        }
    }

    /// Waits until the first worker is up, or the time, and it has linked what must be linked.
    fn start(&self, plan: &ProbePlan) -> Result<Running, RunnerError> {
        let failed = |failure| cannot_start(&failure);
        let watches = self.watches(plan);
        let config = self.worker_config(plan, &watches);
        let mut pool = WorkerPool::new(config.clone()).map_err(failed)?.with_program(self.program.clone());
        pool.set_deadline(self.deadline);
        // One that is not up in time is asked nothing.
        if let Some((class, thrown)) = pool.ready().map_err(failed)?.and_then(|ready| ready.unlinkable) {
            return Err(RunnerError::Unlinkable { class, thrown });
        }
        let (plan, watches, pools) = (plan.clone(), Arc::new(watches), vec![pool]);
        Ok(Running { plan, watches, config, pools, spent: Duration::ZERO, given: 0 })
    }

    fn worker_config(&self, plan: &ProbePlan, watches: &Watches) -> WorkerConfig {
        let home = self.program.jdk().home.clone();
        let mut config = WorkerConfig::new(self.config.command.clone(), home, self.config.class_path.clone());
        config.link.clone_from(&self.config.link);
        config.vm_args.clone_from(&self.config.vm_args);
        // The manifests of jars add others, which the VM finds by itself.
        config.readable = self.program.archives().into_iter().chain(self.config.allow_read.iter().cloned()).collect();
        config.sandboxed = self.config.sandboxed;
        config.repeatable = self.config.repeatable;
        config.probes = probes(plan, watches);
        config.limits.steps = u32::try_from(plan.limits.steps).unwrap_or(u32::MAX);
        config.limits.milliseconds = u32::try_from(plan.limits.time.as_millis()).unwrap_or(u32::MAX);
        config.limits.array_length = plan.limits.array_length;
        config.limits.stack = plan.limits.stack;
        // Errors of the VM are common in random candidates, and mostly leave nothing behind.
        self.take_aim(plan.aim, &mut config);
        config
    }

    fn take_aim(&self, aim: Aim, config: &mut WorkerConfig) {
        // What runs is many times as much as in a plain candidate: thousands of frames, or initialisers.
        const STEPS: u32 = 5_000_000;
        match aim {
            Aim::Exception => return,
            Aim::StackOverflow => {
                config.probes.count_entries = false;
                config.limits.stack = thread_stack(&self.config.vm_args) + INTERPRETER_STACK;
            }
            Aim::Initialiser => config.probes.classes_per_candidate = true,
        }
        config.limits.steps = config.limits.steps.max(STEPS);
        config.limits.milliseconds = config.limits.milliseconds.max(1000);
    }
}

impl Running {
    /// Starts further jobs, if it is time to, without waiting for them.
    fn grow(&mut self, jobs: usize, program: &Arc<Program>) -> Result<(), WorkerFailure> {
        let now = self.pools.len();
        let is_time = match self.config.repeatable {
            true => self.given >= PATIENCE_IN_RECIPES * now,
            false => self.spent >= PATIENCE * now as u32,
        };
        if now < jobs && is_time {
            for _ in now..jobs.min(2 * now) {
                self.pools.push(WorkerPool::new(self.config.clone())?.with_program(program.clone()));
            }
        }
        Ok(())
    }

    /// Runs the recipes on the first worker and on those others that are ready. Answers are complete up to the first recipe
    /// that the deadline has left out.
    fn run(
        &mut self,
        recipes: &[&Recipe],
        program: &Program,
        deadline: Option<Instant>,
    ) -> Result<Vec<Observation>, WorkerFailure> {
        let began = Instant::now();
        let watches = &*self.watches;
        let is_repeatable = self.config.repeatable;
        let mut crew: Vec<&mut WorkerPool> = self
            .pools
            .iter_mut()
            .enumerate()
            .filter_map(|(i, pool)| (i == 0 || is_repeatable || pool.is_ready()).then_some(pool))
            .collect();
        crew.iter_mut().for_each(|pool| pool.set_deadline(deadline));
        let hands = crew.len();
        let deal = Deal { recipes, dealt: Mutex::new(0), hands };
        let work = |hand: usize, pool: &mut WorkerPool| {
            let observe = |share: &[&Recipe]| observe(pool, share, watches, program);
            if is_repeatable { deal.work_as_planned(hand, observe) } else { deal.work(observe) }
        };
        let mut shares: Vec<Share> = if let [only] = crew.as_mut_slice() {
            work(0, only)?
        } else {
            let by_job: Result<Vec<Vec<Share>>, WorkerFailure> = std::thread::scope(|scope| {
                let work = &work;
                let jobs: Vec<_> =
                    crew.into_iter().enumerate().map(|(hand, pool)| scope.spawn(move || work(hand, pool))).collect();
                jobs.into_iter().map(|job| job.join().expect("observing does not panic")).collect()
            });
            by_job?.into_iter().flatten().collect()
        };
        self.spent += began.elapsed();
        self.given += recipes.len();
        shares.sort_by_key(|share| share.start);
        let mut answers = Vec::with_capacity(recipes.len());
        for share in shares {
            // What comes behind a gap would be taken for the answers of other recipes.
            if share.start == answers.len() {
                answers.extend(share.observed);
            }
        }
        Ok(answers)
    }
}

/// Recipes on their way to the jobs. Who is done with a share takes the next, and shares get smaller towards the end, so
/// that a slow job, in a VM that is still cold, does not keep the others waiting.
struct Deal<'a> {
    recipes: &'a [&'a Recipe],
    dealt: Mutex<usize>,
    hands: usize,
}

/// Answers to consecutive recipes.
struct Share {
    start: usize,
    observed: Vec<Observation>,
}

impl Deal<'_> {
    fn work(
        &self,
        mut observe: impl FnMut(&[&Recipe]) -> Result<Vec<Observation>, WorkerFailure>,
    ) -> Result<Vec<Share>, WorkerFailure> {
        let mut shares = Vec::new();
        loop {
            let share = self.next();
            if share.is_empty() {
                return Ok(shares);
            }
            shares.push(Share { start: share.start, observed: observe(&self.recipes[share])? });
        }
    }

    /// One share, always the same for the same job.
    fn work_as_planned(
        &self,
        hand: usize,
        mut observe: impl FnMut(&[&Recipe]) -> Result<Vec<Observation>, WorkerFailure>,
    ) -> Result<Vec<Share>, WorkerFailure> {
        let bound = |hand: usize| self.recipes.len() * hand / self.hands;
        let share = bound(hand)..bound(hand + 1);
        Ok(vec![Share { start: share.start, observed: observe(&self.recipes[share])? }])
    }

    fn next(&self) -> Range<usize> {
        let mut dealt = self.dealt.lock().unwrap_or_else(PoisonError::into_inner);
        let left = self.recipes.len() - *dealt;
        let size = if self.hands == 1 { left } else { (left / (2 * self.hands)).max(SMALLEST_SHARE).min(left) };
        let start = *dealt;
        *dealt += size;
        start..*dealt
    }
}

impl Runner for Host {
    fn run_each(&mut self, recipes: &[&Recipe], plan: &ProbePlan) -> Result<Vec<Observation>, RunnerError> {
        let (program, deadline, jobs) = (self.program.clone(), self.deadline, self.config.jobs);
        let running = self.running(plan)?;
        let grown = running.grow(jobs, &program);
        let observed = grown.and_then(|()| running.run(recipes, &program, deadline));
        let observed = observed.map_err(|failure| cannot_start(&failure))?;
        self.denials.note(&observed);
        Ok(observed)
    }

    fn denied(&self) -> Vec<PathBuf> {
        if !self.config.sandboxed {
            return Vec::new();
        }
        let archives = self.program.archives();
        let class_path: Vec<PathBuf> = self.config.class_path.iter().chain(&archives).cloned().collect();
        let readable = Readable {
            java_home: Some(&self.program.jdk().home),
            class_path: &class_path,
            allowed: &self.config.allow_read,
            vm_args: &self.config.vm_args,
        };
        self.denials.files(&readable.paths())
    }

    fn set_deadline(&mut self, deadline: Option<Instant>) {
        self.deadline = deadline;
    }
}

/// What candidates said about files that they could not read: class and message of exceptions, and how many ended so.
#[derive(Debug, Default)]
struct Denials {
    counts: BTreeMap<(String, String), u64>,
    candidates: u64,
}

impl Denials {
    /// A candidate in so many must have met the file: others make up names of files at random.
    const SHARE: u64 = 10;
    /// Different messages that are remembered.
    const MOST: usize = 1000;

    fn note(&mut self, observed: &[Observation]) {
        self.candidates += observed.len() as u64;
        for observation in observed {
            let End::Threw { thrown, .. } = &observation.end else { continue };
            let chain = std::iter::successors(Some(thrown), |thrown| thrown.cause.as_deref());
            for (class, message) in chain.filter_map(|thrown| Some((thrown.class, thrown.message.as_ref()?))) {
                let class = class.dotted();
                if may_be_denied(&class, message) {
                    self.count((class, message.clone()));
                }
            }
        }
    }

    fn count(&mut self, told: (String, String)) {
        if let Some(count) = self.counts.get_mut(&told) {
            *count += 1;
        } else if self.counts.len() < Self::MOST {
            self.counts.insert(told, 1);
        }
    }

    fn files(&self, readable: &[PathBuf]) -> Vec<PathBuf> {
        let common = self.counts.iter().filter(|(_, count)| **count * Self::SHARE >= self.candidates);
        common.filter_map(|((class, message), _)| denied_file(class, message, readable)).collect()
    }
}

/// What the interpreter of recipes takes of a thread's stack.
const INTERPRETER_STACK: usize = 16 << 10;

fn observe(
    pool: &mut WorkerPool,
    recipes: &[&Recipe],
    watches: &Watches,
    program: &Program,
) -> Result<Vec<Observation>, WorkerFailure> {
    let mut observations = Vec::with_capacity(recipes.len());
    pool.run_each(recipes, &mut |case, sites| {
        let recipe = recipes[observations.len()];
        observations.push(observation(case, recipe, sites, watches, program));
    })?;
    Ok(observations)
}

fn cannot_start(failure: &WorkerFailure) -> RunnerError {
    let mut reason = failure.to_string();
    let mut source = std::error::Error::source(failure);
    while let Some(cause) = source {
        reason.push_str(&format!(": {cause}"));
        source = cause.source();
    }
    RunnerError::CannotStart { reason, hint: None }
}

fn probes(plan: &ProbePlan, watches: &Watches) -> Probes {
    let full = plan.classes.iter().map(|class| class.as_internal().to_owned()).collect();
    let mut values: BTreeMap<String, Vec<ValueSpot>> = BTreeMap::new();
    let for_conditions = watches.conditions.iter().map(|watch| (watch.anchor.at, &watch.reads, String::new()));
    let for_places =
        watches.places.iter().enumerate().map(|(number, place)| (place.at, &place.reads, snapshot_line(number)));
    for (at, reads, last) in for_conditions.chain(for_places) {
        let spots = values.entry(at.method.class.as_internal().to_owned()).or_default();
        spots.push(ValueSpot {
            name: at.method.name.as_str().to_owned(),
            descriptor: at.method.descriptor.as_str().to_owned(),
            bci: at.at.bci,
            reads: reads.given.clone(),
            derivations: reads.derivations() + &last,
        });
    }
    Probes {
        full,
        values,
        count_entries: true,
        last_statement_only: plan.last_statement_only,
        show: show_probes(&plan.show),
        ..Probes::default()
    }
}

fn show_probes(show: &Show) -> ShowProbes {
    // Half of what a candidate has room for.
    const MOST_BYTES: u32 = 128 << 10;
    const MOST_OUTCOMES: u32 = 32 << 10;
    let name = |symbol: program::Symbol| symbol.as_str().to_owned();
    let method = |of: &MethodRef| (of.class.as_internal().to_owned(), name(of.name), name(of.descriptor));
    if *show == Show::default() {
        return ShowProbes::default();
    }
    ShowProbes {
        outcomes: show.outcomes.min(MOST_OUTCOMES),
        depth: show.limits.depth,
        objects: show.limits.objects,
        bytes: show.limits.bytes.min(MOST_BYTES),
        variables: show.variables,
        receivers: show.receivers.iter().map(method).collect(),
    }
}

fn observation(case: Case, recipe: &Recipe, sites: &[ProbeSite], watches: &Watches, program: &Program) -> Observation {
    let site = |id: splice::ProbeId| sites.get(id.0 as usize);
    let mut lines: Vec<LineHit> = case
        .readings
        .lines
        .iter()
        .filter_map(|(id, count)| {
            let site = site(*id)?;
            let ProbeKind::Line(line) = site.kind else { return None };
            Some(LineHit { method: site.method, line, count: *count })
        })
        .collect();
    lines.sort_by_key(|hit| (hit.method, hit.line));
    Observation {
        lines,
        branches: branches(&case.readings, sites),
        conditions: conditions(&case.readings, sites, &watches.conditions, program),
        shown: show(&case, recipe, sites, &watches.places),
        end: case.end,
        cost: case.cost,
    }
}

fn show(case: &Case, recipe: &Recipe, sites: &[ProbeSite], places: &[Place]) -> Shown {
    let snapshots = &case.shown.snapshots;
    let at_places = snapshots.iter().filter_map(|(number, snapshot)| {
        let place = places.get((*number)?)?;
        let indices = place.values.iter().map(|value| place.reads.index_of(value));
        Some(((*number)?, shown::with_roots(snapshot, indices)))
    });
    let at_end = snapshots.iter().find(|(number, _)| number.is_none());
    Shown {
        places: at_places.collect(),
        variables: at_end.map(|(_, snapshot)| shown::variables(recipe, snapshot)),
        outcomes: shown::outcomes(&case.shown, sites),
        receivers: shown::receivers(&case.readings, sites),
    }
}

/// Distances by place: `[taken, not taken]` of an `if`; of a switch its cases in order of their keys, then the default.
fn branches(readings: &Readings, sites: &[ProbeSite]) -> Vec<BranchDistance> {
    let mut found = Vec::new();
    let mut switches: BTreeMap<(MethodRef, u16), Switch> = BTreeMap::new();
    for reading in &readings.branches {
        let Some(site) = sites.get(reading.id.0 as usize) else { continue };
        match &site.kind {
            ProbeKind::Branch => {
                let at = CodePoint { method: site.method, at: InstrId::at(site.bci) };
                found.push(BranchDistance { at, to: vec![reading.taken, reading.missed] });
            }
            ProbeKind::Outcome(outcome) => {
                let switch = switches.entry((site.method, site.bci)).or_default();
                switch.cases.extend(outcome.keys.iter().map(|key| (*key, reading.taken)));
                if outcome.is_default {
                    switch.default = reading.taken;
                }
            }
            ProbeKind::Line(_) | ProbeKind::Values { .. } | ProbeKind::Receiver => {}
        }
    }
    found.extend(switches.into_iter().map(|((method, bci), switch)| BranchDistance {
        at: CodePoint { method, at: InstrId::at(bci) },
        to: switch.distances(),
    }));
    found.sort_by_key(|branch| branch.at);
    found
}

#[derive(Default)]
struct Switch {
    cases: Vec<(i32, f64)>,
    default: f64,
}

impl Switch {
    fn distances(mut self) -> Vec<f64> {
        self.cases.sort_by_key(|(key, _)| *key);
        self.cases.into_iter().map(|(_, distance)| distance).chain([self.default]).collect()
    }
}

/// The smallest distance of each condition over all recorded visits.
fn conditions(readings: &Readings, sites: &[ProbeSite], watches: &[Watch], program: &Program) -> Vec<Option<f64>> {
    let mut nearest: Vec<Option<f64>> = vec![None; watches.len()];
    for reading in &readings.values {
        let Some(site) = sites.get(reading.id.0 as usize) else { continue };
        let ProbeKind::Values { index } = site.kind else { continue };
        let Some((number, watch)) = watch_of(watches, site.method, usize::from(index)) else { continue };
        let near = |values: &Vec<Value>| watch.distance(values, program);
        let best = reading.kept.iter().map(near).fold(f64::INFINITY, f64::min);
        let known = nearest[number].unwrap_or(f64::INFINITY);
        nearest[number] = Some(known.min(best));
    }
    nearest
}

/// The watch with this index among those of the method's class, which is how probes count them.
fn watch_of(watches: &[Watch], method: MethodRef, index: usize) -> Option<(usize, &Watch)> {
    watches.iter().enumerate().filter(|(_, watch)| watch.anchor.at.method.class == method.class).nth(index)
}
