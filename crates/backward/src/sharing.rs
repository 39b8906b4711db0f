//! What other engines that reason about values take from this one: the solver with its limits, the conditions of throw sites, and the
//! composer that makes calls of a condition.

use crate::agenda::{MOST_ROUNDS, STEPS};
use crate::compose::Composer;
use crate::derive::REACH;
use crate::goals;
use crate::lessons::Lessons;
use crate::precondition::Precondition;
use crate::run::fact;
use crate::settings::Switches;
use crate::solving::Solving;
use crate::summaries::Summaries;
use crate::walk::{Walker, tidy};
use analysis::Lowered;
use engine::NewFact;
use ir::BlockId;
use objects::{AccessContext, Catalogue};
use recipe::Recipe;
use smt::Term;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;
use symbolic::{Marks, World};
use target::CrashTarget;

/// A place at which the exception may be thrown, and what must hold there; over the variables of the method and memory just before.
#[derive(Clone, Debug)]
pub struct ThrowGoal {
    pub method: Arc<Lowered>,
    pub block: BlockId,
    pub index: usize,
    pub formula: Vec<Term>,
    pub marks: Marks,
}

/// A condition at the entry of a method of the trace under which the crash happens.
#[derive(Clone, Debug)]
pub struct EntryCondition(Precondition);

impl EntryCondition {
    /// `formula` is over the parameters of the method and memory at its entry; `frame` is the number of the application frame.
    pub fn new(world: &World, frame: u32, method: &Arc<Lowered>, formula: Vec<Term>, marks: Marks) -> EntryCondition {
        let formula = tidy(world, formula);
        EntryCondition(Precondition { frame, method: method.clone(), formula, marks })
    }

    pub fn frame(&self) -> u32 {
        self.0.frame
    }

    pub fn formula(&self) -> &[Term] {
        &self.0.formula
    }

    /// Whether it lets in values of which nothing is known.
    pub fn is_loose(&self) -> bool {
        self.0.marks.loose
    }

    /// As other engines understand it; none if nothing of it can be said.
    pub fn fact(&self, world: &World) -> Option<NewFact> {
        fact(world, &self.0)
    }
}

/// How much access to the program calls may take: what its package has, or whatever reflection gives.
const LEVELS: usize = 2;

/// How often calls for a condition are looked for: with the access of its package and with reflection, at first briefly, then at length.
pub const PASSES: usize = 2 * LEVELS;
/// The brief ones are the first half.
pub const BRIEF_PASSES: usize = LEVELS;

/// The solver and the composer, with what they remember.
pub struct Toolbox {
    solving: Solving,
    summaries: Summaries,
    lessons: Lessons,
    /// Operations that were executed for it.
    steps: u64,
}

impl fmt::Debug for Toolbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Toolbox").field("steps", &self.steps).finish_non_exhaustive()
    }
}

impl Toolbox {
    /// Where `is_counted`, answers do not depend on how fast the machine is.
    pub fn new(is_counted: bool) -> Toolbox {
        Toolbox {
            solving: Solving::new(is_counted),
            summaries: Summaries::default(),
            lessons: Lessons::default(),
            steps: 0,
        }
    }

    /// From now on, stops when this is set or past.
    pub fn obey(&mut self, stop: Arc<AtomicBool>, deadline: Option<Instant>) {
        self.solving.obey(stop, deadline);
    }

    /// What was done so far, in steps.
    pub fn cost(&self) -> u64 {
        self.steps + self.solving.cost()
    }

    /// Whether no more questions are to be asked in this run.
    pub fn is_exhausted(&self) -> bool {
        self.solving.is_exhausted()
    }

    pub fn is_stopped(&self) -> bool {
        self.solving.is_stopped()
    }

    /// Whether the formula cannot hold; unknown counts as possible.
    pub fn is_refuted(&mut self, world: &World, formula: &[Term]) -> bool {
        self.solving.check(world, formula).is_unsat()
    }

    /// Whether it is seen without a solver that the formula cannot hold.
    pub fn is_plainly_refuted(&mut self, world: &World, formula: &[Term]) -> bool {
        self.solving.is_plainly_refuted(world, formula)
    }

    /// Where the topmost application frame may throw the exception, and under which condition.
    pub fn throw_goals(&mut self, world: &World, target: &CrashTarget) -> Vec<ThrowGoal> {
        let mut walker =
            Walker::new(world, &mut self.solving, &mut self.summaries, &self.lessons, Switches::ALL, REACH);
        let mut found = Vec::new();
        for site in &target.throw_sites {
            let Some(method) = world.methods.get(site.at.method) else { continue };
            for (place, formula, marks) in goals::of_site(&mut walker, &method, site, target) {
                let (block, index) = (place.block, place.index);
                found.push(ThrowGoal { method: method.clone(), block, index, formula, marks });
            }
        }
        self.steps += walker.effort.steps;
        found
    }

    /// Recipes that end with a call of the method in a state in which the condition holds, in this pass (below [`PASSES`]).
    pub fn recipes(
        &mut self,
        world: &World,
        catalogue: &Catalogue,
        condition: &EntryCondition,
        pass: usize,
    ) -> Vec<Recipe> {
        let (level, rounds) = (pass % LEVELS, if pass < BRIEF_PASSES { 1 } else { MOST_ROUNDS as u64 });
        let package = AccessContext::in_package_of(condition.0.method.reference().class);
        let from = [package, package.with_reflection()][level];
        let (solving, summaries) = (&mut self.solving, &mut self.summaries);
        let known = &BTreeSet::new();
        let lessons = &self.lessons;
        let mut composer = Composer { world, solving, summaries, lessons, catalogue, known, steps: 0 };
        let search = composer.begin(&condition.0, from);
        let mut composed = search.map_or_else(Vec::new, |mut search| composer.go_on(&mut search, rounds * STEPS));
        self.steps += composer.steps + 1;
        composed.sort_by_key(|one| one.fill);
        composed.into_iter().map(|one| one.recipe).collect()
    }
}
