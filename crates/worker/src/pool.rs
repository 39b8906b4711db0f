//! A worker and its spare. Recipes go in, one [`Case`] each comes out, in order; how many workers it took is nobody's
//! business but the statistics'.
//!
//! Most searches are over before their first worker has to be replaced, so there is a spare only from the first
//! replacement on: who had to replace one will have to again.
//!
//! A worker is replaced when it died, when its watchdog had to throw into a candidate, and when a candidate may have
//! left traces in the VM ([`Taint`]). Answers behind such a candidate are thrown away and their recipes run again on a
//! fresh worker, so that no answer depends on what ran before it.

use super::WorkerFailure;
use super::handle::{Death, Then, Worker, WorkerConfig};
use super::messages::{Observing, Probes};
use super::shown::RawShown;
use crate::emit::{Manner, Shape, Shapes};
use crate::wire::{Answer, Decoder, Encoder};
use program::{ClassName, MethodRef, Program, Symbol};
use recipe::{Cost, End, Limit, Recipe};
use sandbox::usage;
use splice::ProbeSite;
use splice::readings::Readings;
use std::borrow::Borrow;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What one recipe did.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    pub end: End,
    pub cost: Cost,
    /// What its probes recorded, with ids resolved by [`WorkerPool::site`] until the next call.
    pub readings: Readings,
    /// What it has shown beyond that, as it came.
    pub shown: RawShown,
    /// Its probes recorded more than there was room for; `readings` is empty.
    pub readings_left_out: bool,
    /// Why its worker was replaced after it.
    pub taint: Option<Taint>,
}

/// Traces that a candidate leaves in its VM.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Taint {
    /// The process is gone.
    Died,
    /// The watchdog threw into it, wherever it was.
    Interrupted,
    /// A static initialiser failed or was cut short: its class is unusable.
    Initialiser,
    /// Errors of the VM can strike anywhere, also inside a static initialiser.
    StackOverflow,
    OutOfMemory,
    /// Threads of it still run.
    Threads,
    /// So many files of it are still open that others may find none left.
    Files,
    /// It changed static state that cannot be set back.
    Statics,
}

impl Taint {
    pub fn name(self) -> &'static str {
        match self {
            Taint::Died => "died",
            Taint::Interrupted => "interrupted",
            Taint::Initialiser => "initialiser",
            Taint::StackOverflow => "stack-overflow",
            Taint::OutOfMemory => "out-of-memory",
            Taint::Threads => "threads",
            Taint::Files => "files",
            Taint::Statics => "statics",
        }
    }
}

/// How the pool has fared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorkerStatistics {
    pub started: u32,
    pub cases: u64,
    /// Cases that ran more than once, because their worker was replaced before them.
    pub repeated: u64,
    pub taints: std::collections::BTreeMap<Taint, u32>,
}

impl std::ops::Add<&WorkerStatistics> for WorkerStatistics {
    type Output = WorkerStatistics;

    fn add(mut self, other: &WorkerStatistics) -> WorkerStatistics {
        self.started += other.started;
        self.cases += other.cases;
        self.repeated += other.repeated;
        other.taints.iter().for_each(|(taint, count)| *self.taints.entry(*taint).or_default() += count);
        self
    }
}

#[derive(Debug)]
pub struct WorkerPool {
    config: WorkerConfig,
    active: Option<Active>,
    spare: Option<Worker>,
    statistics: WorkerStatistics,
    /// Cases per batch.
    batch: usize,
    /// Tells the shapes of the classes that callbacks extend; without it only plain recipes can be sent.
    program: Option<Arc<Program>>,
    /// No batch begins after it.
    deadline: Option<Instant>,
    /// Counts the ways in which candidates were observed.
    plan: u32,
}

/// A worker with the tables that it and we share.
#[derive(Debug)]
struct Active {
    worker: Worker,
    encoder: Encoder,
    decoder: Decoder,
}

/// Cases per batch: the first, and at most.
const FIRST_BATCH: usize = 32;
const LARGEST_BATCH: usize = 128;
/// How long a batch may take before the next is made smaller.
const LONGEST_BATCH: Duration = Duration::from_millis(400);
/// Workers that die one after the other without answering anything.
const HOPELESS: u32 = 16;
/// Tries for one recipe before it is given up.
const STUBBORN: u32 = 2;

impl WorkerPool {
    /// Starts a worker, without waiting for it.
    pub fn new(config: WorkerConfig) -> Result<Self, WorkerFailure> {
        let mut pool = WorkerPool {
            config,
            active: None,
            spare: None,
            statistics: WorkerStatistics::default(),
            batch: FIRST_BATCH,
            program: None,
            deadline: None,
            plan: 0,
        };
        let worker = pool.start()?;
        pool.active = Some(Active::new(worker));
        Ok(pool)
    }

    /// For recipes with callbacks and declared classes.
    pub fn with_program(mut self, program: Arc<Program>) -> Self {
        self.program = Some(program);
        self
    }

    /// From then on no batch begins, and recipes that are left are not answered.
    pub fn set_deadline(&mut self, deadline: Option<Instant>) {
        self.deadline = deadline;
    }

    /// Has candidates observed in another way from now on. Workers that run already change over before their next batch.
    pub(super) fn observe(&mut self, observing: Observing) {
        let initialised_once = std::mem::take(&mut self.config.probes.initialised_once);
        self.config.probes = Probes { initialised_once, ..observing.probes };
        self.config.limits = observing.limits;
        self.plan += 1;
    }

    pub fn statistics(&self) -> &WorkerStatistics {
        &self.statistics
    }

    /// Whether the present worker takes work at once, or says at once why it cannot.
    pub fn is_ready(&mut self) -> bool {
        self.active.as_mut().is_some_and(|active| active.worker.is_ready())
    }

    /// How the present worker came up; waits until it has. `None` if it has not by the deadline.
    pub fn ready(&mut self) -> Result<Option<super::Ready>, WorkerFailure> {
        let deadline = self.deadline;
        Ok(self.active()?.worker.wait_ready(deadline)?.cloned())
    }

    /// Runs all recipes.
    pub fn run(&mut self, recipes: &[impl Borrow<Recipe>]) -> Result<Vec<Case>, WorkerFailure> {
        let mut cases = Vec::with_capacity(recipes.len());
        self.run_each(recipes, &mut |case, _| cases.push(case))?;
        Ok(cases)
    }

    /// Runs all recipes; `see` is given each case in order, with the sites of the worker that ran it: ids mean nothing
    /// to another one.
    pub fn run_each(
        &mut self,
        recipes: &[impl Borrow<Recipe>],
        see: &mut dyn FnMut(Case, &[ProbeSite]),
    ) -> Result<(), WorkerFailure> {
        let mut done = 0;
        let mut fruitless = 0;
        while done < recipes.len() && !self.is_late() {
            let end = recipes.len().min(done + self.batch);
            let (before, began) = (self.statistics.started, Instant::now());
            let answered = self.batch(&recipes[done..end], see)?;
            // What a replaced worker had answered beyond its last good case was in vain: less is given where that is common,
            // and where it takes so long that a deadline would be missed by far.
            let is_slow = began.elapsed() > LONGEST_BATCH && !self.config.repeatable;
            let less = self.statistics.started != before || is_slow;
            self.batch = if less { (self.batch / 2).max(4) } else { (self.batch * 2).min(LARGEST_BATCH) };
            done += answered;
            // Nobody is to blame then.
            if self.is_late() {
                break;
            }
            fruitless = if answered == 0 { fruitless + 1 } else { 0 };
            if fruitless == HOPELESS {
                return Err(WorkerFailure::Garbled);
            }
            // A candidate that costs worker after worker before it can be answered is as good as one that hangs.
            if fruitless > 0 && fruitless % STUBBORN == 0 {
                see(Case::of_dead(Death::Killed), &[]);
                self.statistics.cases += 1;
                done += 1;
            }
        }
        Ok(())
    }

    fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Runs a batch as far as one worker gets; says how many recipes were answered.
    fn batch(
        &mut self,
        recipes: &[impl Borrow<Recipe>],
        see: &mut dyn FnMut(Case, &[ProbeSite]),
    ) -> Result<usize, WorkerFailure> {
        let mut done = 0;
        let program = self.program.clone();
        let keeps = self.config.keep_if_unharmed;
        if self.is_full()? {
            self.replace(None)?;
        }
        let deadline = self.deadline;
        let active = self.active()?;
        if active.worker.wait_ready(deadline)?.is_none() {
            return Ok(done);
        }
        if let Err(why) = self.change_over()? {
            return why.map_or(Ok(()), |()| self.replace(None)).map(|()| done);
        }
        let active = self.active()?;
        let encoded = match &program {
            Some(program) => active.encoder.batch(recipes, &**program),
            None => active.encoder.batch(recipes, &NoShapes),
        };
        let Some(mut progressed) = active.worker.run(&encoded, deadline) else {
            // Recipes are small; a batch that is too long is made of few.
            self.batch = (recipes.len() / 2).max(1);
            return self.replace(None).map(|()| done);
        };
        loop {
            let wanted = recipes.len() - done;
            let active = self.active()?;
            let Ok(mut new) = active.read(&progressed.answers, keeps) else {
                return self.replace(None).map(|()| done);
            };
            if let Some([cpu, threads]) = active.worker.take_cpu() {
                fit_times(&mut new, cpu, threads);
            }
            new.truncate(wanted);
            let made_progress = !new.is_empty();
            let tainted = new.iter().position(|case| case.taint.is_some());
            let taint = tainted.and_then(|index| new[index].taint);
            // A worker that knows of the class can answer this one.
            let is_answered = active.worker.initialised_once.is_empty();
            let kept = tainted.map_or(new.len(), |index| index + usize::from(is_answered));
            let repeated = new.len() - kept;
            new.truncate(kept);
            done += new.len();
            let answered = new.len();
            new.into_iter().for_each(|case| see(case, &active.worker.sites));
            self.statistics.repeated += repeated as u64;
            self.statistics.cases += answered as u64;
            if taint.is_some() {
                return self.replace(taint).map(|()| done);
            }
            match progressed.then {
                Then::Died { culprit, death, after } => {
                    if culprit == Some(done as u32) {
                        see(Case { cost: Cost { time: after, ..Cost::default() }, ..Case::of_dead(death) }, &[]);
                        done += 1;
                        self.statistics.cases += 1;
                    }
                    return self.replace(Some(Taint::Died)).map(|()| done);
                }
                Then::Interfered { culprit } => {
                    if culprit == Some(done as u32) {
                        see(Case::unanswered(End::Stopped(Limit::Time), Taint::Interrupted), &[]);
                        done += 1;
                        self.statistics.cases += 1;
                    }
                    return self.replace(Some(Taint::Interrupted)).map(|()| done);
                }
                Then::OutOfTime => {
                    self.active = None;
                    return Ok(done);
                }
                Then::Waits if done == recipes.len() => return Ok(done),
                Then::Waits if !made_progress => return self.replace(None).map(|()| done),
                Then::Waits => progressed = self.active()?.worker.resume(deadline),
            }
        }
    }

    /// Has the worker observe by the present plan. If that fails, says whether it is to be replaced: not when time is up.
    fn change_over(&mut self) -> Result<Result<(), Option<()>>, WorkerFailure> {
        let (plan, observing, deadline) = (self.plan, self.config.observing(), self.deadline);
        let active = self.active()?;
        if active.worker.plan == plan {
            return Ok(Ok(()));
        }
        Ok(match active.worker.observe(observing, deadline) {
            Then::Waits => {
                active.worker.plan = plan;
                Ok(())
            }
            Then::OutOfTime => {
                self.active = None;
                Err(None)
            }
            Then::Died { .. } | Then::Interfered { .. } => Err(Some(())),
        })
    }

    /// Whether the worker has no room for much more: what stays in its VM, be it the program's doing or ours, only grows.
    fn is_full(&mut self) -> Result<bool, WorkerFailure> {
        const BESIDES_THE_HEAP: u64 = 160 << 20;
        // A user-set heap disables this limit.
        let is_usual = !self.config.vm_args.iter().any(|arg| arg.starts_with("-Xmx") || arg.contains("Heap"));
        let most_memory = if is_usual { (u64::from(self.config.heap) << 20) + BESIDES_THE_HEAP } else { u64::MAX };
        let most_classes = self.config.most_classes;
        let active = self.active()?;
        let memory = usage::memory_of(active.worker.id()).unwrap_or(0);
        Ok(active.encoder.classes() >= most_classes || memory > most_memory)
    }

    fn start(&mut self) -> Result<Worker, WorkerFailure> {
        self.statistics.started += 1;
        let mut worker = Worker::start(&self.config)?;
        worker.plan = self.plan;
        Ok(worker)
    }

    fn active(&mut self) -> Result<&mut Active, WorkerFailure> {
        if self.active.is_none() {
            let worker = match self.spare.take() {
                Some(worker) => worker,
                None => self.start()?,
            };
            self.active = Some(Active::new(worker));
            self.spare = Some(self.start()?);
        }
        Ok(self.active.as_mut().expect("it was just set"))
    }

    /// Lets the spare take over.
    fn replace(&mut self, why: Option<Taint>) -> Result<(), WorkerFailure> {
        if let Some(taint) = why {
            *self.statistics.taints.entry(taint).or_default() += 1;
        }
        let last = self.active.take();
        let once = last.map(|active| active.worker.initialised_once.clone()).unwrap_or_default();
        let known = self.config.probes.initialised_once.len();
        self.config.probes.initialised_once.extend(once);
        if self.config.probes.initialised_once.len() > known {
            self.spare = None;
        }
        self.active().map(|_| ())
    }
}

/// Candidates are timed by the clock on the wall, which goes on while others have the processor. Together they cannot have
/// taken more than their thread was given, and what further threads of theirs were.
fn fit_times(cases: &mut [Case], cpu: Duration, threads: Duration) {
    let sum: Duration = cases.iter().map(|case| case.cost.time).sum();
    if sum > cpu || !threads.is_zero() && !sum.is_zero() {
        let share = (sum.min(cpu) + threads).as_secs_f64() / sum.as_secs_f64();
        cases.iter_mut().for_each(|case| case.cost.time = case.cost.time.mul_f64(share));
    }
}

/// Without a program no class has a shape, so nothing can be derived from one.
pub(crate) struct NoShapes;

impl Shapes for NoShapes {
    fn shape(&self, _: ClassName) -> Option<Shape> {
        None
    }

    fn abstract_methods(&self, _: ClassName, _: &[ClassName]) -> Vec<(Symbol, Symbol)> {
        Vec::new()
    }

    fn can_call(&self, _: MethodRef, _: Manner, _: &str) -> bool {
        false
    }
}

impl Active {
    fn new(worker: Worker) -> Self {
        Active { worker, encoder: Encoder::default(), decoder: Decoder::default() }
    }

    /// The cases in these answers; an error if they cannot be read.
    fn read(&mut self, answers: &[u8], keeps: bool) -> Result<Vec<Case>, WorkerFailure> {
        let answers = self.decoder.answers(answers).map_err(|_| WorkerFailure::Garbled)?;
        let case = |answer: Answer<'_>| Case::read(answer.end, answer.leaked_threads, answer.watched, keeps);
        answers.into_iter().map(case).collect()
    }
}

// What Java's `Worker` writes in front of the readings.
const READINGS_LEFT_OUT: u32 = 1;
const POISONED: u32 = 2;
const UNRESETTABLE: u32 = 4;
const WAITED: u32 = 8;
const FILES_OPEN: u32 = 16;
const REFUSED: u32 = 32;

impl Case {
    fn read(end: End, leaked_threads: u32, watched: &[u8], keeps: bool) -> Result<Case, WorkerFailure> {
        let garbled = || WorkerFailure::Garbled;
        let (steps, rest) = watched.split_first_chunk::<4>().ok_or_else(garbled)?;
        let (nanos, rest) = rest.split_first_chunk::<8>().ok_or_else(garbled)?;
        let (flags, rest) = rest.split_first_chunk::<4>().ok_or_else(garbled)?;
        let flags = u32::from_le_bytes(*flags);
        let (readings, used) = Readings::decode(rest).map_err(|_| garbled())?;
        let shown = RawShown::decode(&rest[used..]).ok_or_else(garbled)?;
        let taint = taint_of(&end, leaked_threads, flags, keeps);
        let cost = Cost {
            steps: u32::from_le_bytes(*steps).into(),
            time: Duration::from_nanos(u64::from_le_bytes(*nanos)),
            ..Cost::default()
        };
        Ok(Case { end, cost, readings, shown, readings_left_out: flags & READINGS_LEFT_OUT != 0, taint })
    }

    fn of_dead(death: Death) -> Case {
        let end = match death {
            Death::Killed => End::Stopped(Limit::Time),
            Death::Signalled(signal) => End::VmDied { signal: Some(signal) },
            Death::Exited(_) => End::VmDied { signal: None },
        };
        Case::unanswered(end, Taint::Died)
    }

    /// Nothing but how it ended is known.
    fn unanswered(end: End, taint: Taint) -> Case {
        let taint = Some(taint);
        let (readings, shown) = (Readings::default(), RawShown::default());
        Case { end, cost: Cost::default(), readings, shown, readings_left_out: false, taint }
    }
}

/// Why the worker cannot be used again after this candidate. If it `keeps` workers that came to no harm, it has looked
/// for that itself.
fn taint_of(end: &End, leaked_threads: u32, flags: u32, keeps: bool) -> Option<Taint> {
    if flags & POISONED != 0 {
        return Some(Taint::Initialiser);
    }
    if flags & FILES_OPEN != 0 {
        return Some(Taint::Files);
    }
    if leaked_threads > 0 {
        return Some(Taint::Threads);
    }
    // Asked for more memory than there ever is; none was used up.
    let is_refused = keeps && flags & REFUSED != 0;
    let by_end = match end {
        End::OutOfMemory if is_refused => None,
        End::OutOfMemory => Some(Taint::OutOfMemory),
        // Stopped where it waited for ever; nothing was going on.
        End::Stopped(Limit::Time) if flags & WAITED != 0 => None,
        End::Stopped(Limit::Time) => Some(Taint::Interrupted),
        End::Threw { thrown, .. } => {
            let mut chain = std::iter::successors(Some(thrown), |thrown| thrown.cause.as_deref());
            chain.find_map(|thrown| match thrown.class.as_internal() {
                "java/lang/StackOverflowError" | "java/lang/ExceptionInInitializerError" if keeps => None,
                "java/lang/StackOverflowError" => Some(Taint::StackOverflow),
                "java/lang/OutOfMemoryError" if is_refused => None,
                "java/lang/OutOfMemoryError" => Some(Taint::OutOfMemory),
                "java/lang/ExceptionInInitializerError" => Some(Taint::Initialiser),
                _ => None,
            })
        }
        _ => None,
    };
    by_end.or((flags & UNRESETTABLE != 0).then_some(Taint::Statics))
}
