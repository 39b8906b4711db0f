//! Questions to the solver, with what holds of every world.

use smt::{Answer, Limits, Model, Queries, Settings, Term};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use symbolic::World;

/// Resources that one query may take where runs have to repeat: about a tenth of a second of Z3.
const RESOURCES: u64 = 400_000;
/// Time that one query may take otherwise.
const TIME: Duration = Duration::from_millis(150);

pub(crate) struct Solving {
    queries: Queries,
    /// Answers what needs no process.
    quick: Queries,
    /// When nobody waits for the answer any more.
    stop: Option<Arc<AtomicBool>>,
    deadline: Option<Instant>,
    /// When whatever is being looked at has taken long enough.
    enough: Option<Instant>,
    /// When whoever can go on later is to answer.
    pause: Option<Instant>,
    /// What all questions so far cost, in steps.
    cost: u64,
    /// Where runs have to repeat, whoever waits for the answers cannot give up: so much may be spent on questions in all.
    most: Option<u64>,
}

/// What a question costs in steps: with a solver, and without one. A step is about ten microseconds.
const ASKED: u64 = 500;
const ASKED_QUICKLY: u64 = 20;
/// About ten seconds.
const MOST: u64 = 800_000;

/// What to tell users whose machine has no solver.
pub fn lacks_solver() -> Option<String> {
    let is_there = !smt::solver::find_all().is_empty();
    let lack = "there is no solver: what needs one is not reasoned about; `reenact doctor --install` installs Z3";
    (!is_there).then(|| lack.to_owned())
}

impl Solving {
    /// Asks the solver that there is; without one, only what needs none is answered.
    pub(crate) fn new(is_counted: bool) -> Solving {
        let limits = Limits { time: TIME, resources: is_counted.then_some(RESOURCES), ..Limits::default() };
        let settings = Settings { solvers: smt::solver::find_all(), limits };
        let quick = Queries::new(Settings { solvers: Vec::new(), limits });
        let most = is_counted.then_some(MOST);
        Solving {
            queries: Queries::new(settings),
            quick,
            stop: None,
            deadline: None,
            enough: None,
            pause: None,
            cost: 0,
            most,
        }
    }

    /// From now on, stops when this is set or past.
    pub(crate) fn obey(&mut self, stop: Arc<AtomicBool>, deadline: Option<Instant>) {
        (self.stop, self.deadline) = (Some(stop), deadline);
    }

    /// Stops once it has taken that long from now; none ends that. Where runs have to repeat the clock has no say.
    pub(crate) fn allow(&mut self, time: Option<Duration>) {
        self.enough = time.filter(|_| !self.is_counted()).map(|time| Instant::now() + time);
    }

    /// Whether runs have to repeat, so that clocks have no say.
    pub(crate) fn is_counted(&self) -> bool {
        self.most.is_some()
    }

    pub(crate) fn pause_at(&mut self, pause: Option<Instant>) {
        self.pause = pause;
    }

    /// Whether whoever can go on later is to answer now.
    pub(crate) fn is_paused(&self) -> bool {
        self.pause.is_some_and(|pause| Instant::now() >= pause)
    }

    pub(crate) fn cost(&self) -> u64 {
        self.cost
    }

    /// Whether no more questions are to be asked in this run.
    pub(crate) fn is_exhausted(&self) -> bool {
        self.most.is_some_and(|most| self.cost >= most)
    }

    pub(crate) fn is_stopped(&self) -> bool {
        if self.is_exhausted() {
            return true;
        }
        let is_past = |deadline: Option<Instant>| deadline.is_some_and(|deadline| Instant::now() >= deadline);
        self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed))
            || is_past(self.deadline)
            || is_past(self.enough)
    }

    /// Whether the formula can hold. Unknown counts as possible with whoever asks.
    pub(crate) fn check(&mut self, world: &World, formula: &[Term]) -> Answer {
        self.cost += ASKED;
        let mut all = formula.to_vec();
        all.extend(world.axioms(formula));
        self.queries.check(&world.terms, &all)
    }

    /// A part of the core of which nothing can be left out. What holds of every world is no part of it.
    pub(crate) fn minimal_core(&mut self, world: &World, core: &[Term]) -> Vec<Term> {
        self.cost += ASKED;
        self.queries.minimal_core(&world.terms, core)
    }

    /// Whether it is seen without a solver that the formula cannot hold.
    pub(crate) fn is_plainly_refuted(&mut self, world: &World, formula: &[Term]) -> bool {
        self.cost += ASKED_QUICKLY;
        let mut all = formula.to_vec();
        all.extend(world.axioms(formula));
        self.quick.check(&world.terms, &all).is_unsat()
    }

    pub(crate) fn model(&mut self, world: &World, formula: &[Term]) -> Option<Model> {
        if let Answer::Sat(model) = self.check(world, formula) { Some(model) } else { None }
    }
}
