//! From a condition at the entry of a method to the calls that bring it about (STAR, section 4): a condition about fields of an object is
//! composed with the ways through a constructor, a factory or a method that writes these fields, which leaves a condition about
//! their arguments; and so on, until only values are left that can be written down.
//!
//! A [`Plan`] is a condition and the calls after which it is asked for, the last call first. Plans with few calls and little left
//! to be brought about are worked on first. Unlike the paper, an object may come from any member that gives one, and not only
//! from its own constructors.

mod calls;
mod moves;
mod needed;
mod plan;
mod values;
mod wanted;

pub(crate) use plan::{Act, Step};

use crate::emit::Fill;
use crate::journal::note;
use crate::lessons::Lessons;
use crate::precondition::{Precondition, parameter};
use crate::solving::Solving;
use crate::summaries::Summaries;
use crate::walk::tidy;
use analysis::Lowered;
use ir::{Kind, Parameter};
use moves::Move;
use objects::{AccessContext, CallKind, Catalogue};
use plan::{Plan, uses};
use program::{MethodRef, Type};
use recipe::{Access, Recipe};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::Term;
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};
use std::rc::Rc;
use symbolic::World;

/// A recipe, and what values are like in it of which nothing was said.
#[derive(Debug)]
pub(crate) struct Composed {
    pub(crate) recipe: Recipe,
    pub(crate) fill: Fill,
    /// All that was derived for it is certain, so that it has to crash.
    pub(crate) is_exact: bool,
}

/// Calls that are put in front of the one that crashes.
const MOST_STEPS: usize = 8;

/// Recipes that are made of one condition.
const MOST_RECIPES: usize = 2;

/// What it costs to take code that is not seen to do nothing.
const UNSEEN: usize = 6;

/// Recipes of one condition in which the state of some object is not known.
const MOST_GUESSES: usize = 3;

pub(crate) struct Composer<'a> {
    pub(crate) world: &'a World,
    pub(crate) solving: &'a mut Solving,
    pub(crate) summaries: &'a mut Summaries,
    pub(crate) lessons: &'a Lessons,
    pub(crate) catalogue: &'a Catalogue,
    /// Recipes that there are already, by fingerprint.
    pub(crate) known: &'a BTreeSet<u64>,
    /// Operations that were walked through.
    pub(crate) steps: u64,
}

/// What is to be worked on, the cheapest first.
#[derive(Debug, Default)]
struct Open {
    work: Vec<Option<Work>>,
    order: BinaryHeap<Reverse<(usize, usize)>>,
}

#[derive(Debug)]
enum Work {
    Plan(Plan),
    /// One more thing done before a plan. Walking through a method takes long, so that it is done when its turn comes.
    Before(Rc<Plan>, Move),
}

impl Open {
    fn push(&mut self, cost: usize, work: Work) {
        self.order.push(Reverse((cost, self.work.len())));
        self.work.push(Some(work));
    }

    fn pop(&mut self) -> Option<Work> {
        let Reverse((_, at)) = self.order.pop()?;
        self.work[at].take()
    }
}

/// The search for plans that bring a condition about, with some access to the program; it can be interrupted.
#[derive(Debug)]
pub(crate) struct Search {
    from: AccessContext,
    open: Open,
    /// What plans come down to: calls in another order mostly make no difference.
    seen: FxHashSet<u64>,
    /// What is done as well as it can be if nothing else was found.
    last_resort: Option<Plan>,
    /// What is done by force.
    by_force: Option<Plan>,
    guessed: usize,
    /// Whether a part of a condition may hold of what a constructor has just made.
    may_make: FxHashMap<(Term, MethodRef), bool>,
}

impl Search {
    /// Whether one of its plans has a call of one of these methods.
    pub(crate) fn goes_through(&self, methods: &BTreeSet<MethodRef>) -> bool {
        let plans = self.open.work.iter().flatten().map(|work| match work {
            Work::Plan(plan) => plan,
            Work::Before(plan, _) => plan,
        });
        let is_one =
            |step: &Step| matches!(&step.act, Act::Call { callable, .. } if methods.contains(&callable.method));
        plans.into_iter().any(|plan| plan.steps.iter().any(is_one))
    }

    /// Whether there is nothing more to be found.
    pub(crate) fn is_finished(&self) -> bool {
        self.open.order.is_empty() && self.last_resort.is_none() && self.by_force.is_none()
    }
}

impl Composer<'_> {
    /// Begins to look for recipes that end with a call of the method, in a state in which the condition holds; none if the test cannot call
    /// it.
    pub(crate) fn begin(&mut self, precondition: &Precondition, from: AccessContext) -> Option<Search> {
        let access = self.catalogue.direct_access(precondition.method.reference(), from)?;
        let mut plan = self.entry(&precondition.method, &precondition.formula, access)?;
        plan.is_loose = precondition.marks.loose;
        let mut open = Open::default();
        // What can be called without reflection was tried without it.
        let is_searched = !from.reflection || access == Access::Reflective;
        if is_searched {
            open.push(plan.cost, Work::Plan(plan.clone()));
            // Code that is not seen does what is needed, or nothing at all.
            let formula = self.world.if_nothing_was_rewritten(&plan.formula);
            if formula != plan.formula {
                let formula = tidy(self.world, formula);
                open.push(plan.cost + UNSEEN, Work::Plan(Plan { formula, is_loose: true, ..plan.clone() }));
            }
        }
        let last_resort = (is_searched && uses(&plan, from)).then(|| plan.clone());
        let by_force = from.reflection.then_some(plan);
        Some(Search {
            from,
            open,
            seen: FxHashSet::default(),
            last_resort,
            by_force,
            guessed: 0,
            may_make: FxHashMap::default(),
        })
    }

    /// Objects are made somehow, and their fields are written by force.
    fn forge(&mut self, mut plan: Plan) -> Plan {
        for _ in 0..MOST_STEPS {
            let Some(wanted) = self.wanted(&plan) else { break };
            let Some(next) = self.forged(&plan, &wanted) else { break };
            plan = next;
        }
        for field in self.statics(&plan.formula) {
            if self.is_open(field) {
                plan = self.written(&plan, None, field, Access::Reflective).unwrap_or(plan);
            }
        }
        plan
    }

    /// Recipes that were not known yet, after so many steps at the most.
    pub(crate) fn go_on(&mut self, search: &mut Search, most: u64) -> Vec<Composed> {
        let until = self.spent() + most;
        let mut found = Vec::new();
        if let Some(plan) = search.by_force.take() {
            let forged = self.forge(plan);
            found.extend(self.emit(&forged, search.from, false));
        }
        let (mut ready, mut guessed) = (0, 0);
        while ready < MOST_RECIPES + guessed && self.spent() < until && !self.is_interrupted() {
            let Some(work) = search.open.pop() else { break };
            let plan = match work {
                Work::Plan(plan) => plan,
                Work::Before(plan, one) => {
                    let plans = self.before(&plan, &one, search.from);
                    note(|| format!("{} plans with {} before {}", plans.len(), one.said(), plan.said()));
                    plans.into_iter().for_each(|next| search.open.push(next.cost, Work::Plan(next)));
                    continue;
                }
            };
            if !search.seen.insert(self.gist(&plan)) {
                continue;
            }
            let wanted = self.wanted(&plan);
            let is_ready = wanted.is_none() && !self.asks_what_is_made(&plan.formula);
            if !is_ready && self.is_refuted(&plan) {
                note(|| format!("refuted: {}", plan.said()));
                continue;
            }
            note(|| format!("plan: {}", plan.said()));
            let is_guess = plan.is_guess || !self.statics(&plan.formula).is_empty();
            if is_ready && uses(&plan, search.from) && (!is_guess || search.guessed < MOST_GUESSES) {
                let composed = self.emit(&plan, search.from, !is_guess && !plan.is_loose);
                let is_new = usize::from(!composed.is_empty());
                ready += is_new;
                guessed += if is_guess { is_new } else { 0 };
                search.guessed += if is_guess { is_new } else { 0 };
                found.extend(composed);
            }
            if plan.steps.len() <= MOST_STEPS {
                self.open_moves(plan, wanted, search);
            }
        }
        if search.open.order.is_empty()
            && let Some(plan) = search.last_resort.take()
            && found.is_empty()
        {
            // As good as can be done: objects are made somehow.
            found.extend(self.emit(&plan, search.from, false));
        }
        if !found.is_empty() {
            search.last_resort = None;
        }
        found
    }

    /// Whether the condition cannot hold: what everything begins with is asked for in earnest, all else is when it is ready.
    fn is_refuted(&mut self, plan: &Plan) -> bool {
        match plan.steps.len() {
            1 => self.solving.check(self.world, &plan.formula).is_unsat(),
            _ => self.solving.is_plainly_refuted(self.world, &plan.formula),
        }
    }

    fn is_interrupted(&self) -> bool {
        self.solving.is_stopped() || self.solving.is_paused()
    }

    fn spent(&self) -> u64 {
        self.steps + self.solving.cost()
    }

    /// The plan that only has the call of the method itself.
    fn entry(&self, method: &Lowered, formula: &[Term], access: Access) -> Option<Plan> {
        let callable = self.catalogue.callable(method.reference())?;
        let body = &method.body;
        let (mut receiver, mut args, mut objects) = (None, Vec::new(), Vec::new());
        let mut put: FxHashMap<Term, Term> = FxHashMap::default();
        for (slot, declared) in body.parameters() {
            match declared {
                Parameter::This => {
                    let class = Type::Class(body.method.class);
                    let leaf = parameter(self.world, body, slot, Kind::Reference);
                    if callable.kind == CallKind::Constructor {
                        put.insert(leaf, self.world.allocate(class));
                        continue;
                    }
                    let this = self.world.argument(Kind::Reference);
                    put.insert(leaf, this);
                    objects.push((this, class));
                    receiver = Some(this);
                }
                Parameter::Declared(_, ty) => {
                    let kind = ir::kind_of_type(ty);
                    let argument = self.world.argument(kind);
                    put.insert(parameter(self.world, body, slot, kind), argument);
                    args.push((argument, ty));
                }
            }
        }
        let formula = tidy(self.world, self.world.terms.substitute_all(formula, &put));
        objects.extend(args.iter().copied().filter(|(_, ty)| ty.is_reference()));
        let act = Act::Call { name: callable.method, callable, access, creates: None };
        let steps = vec![Step { act, receiver, args, makes: None }];
        Some(Plan { formula, steps, objects, is_guess: false, is_loose: false, cost: 0 })
    }
}
