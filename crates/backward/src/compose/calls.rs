//! A call put in front of a plan: the condition is walked backwards through the method, which leaves one about its arguments.

use super::moves::maker;
use super::wanted::Wanted;
use super::{Act, Composer, Plan, Step};
use crate::settings::Switches;
use crate::walk::{Entry, Place, Reach, Walker, tidy};
use analysis::Lowered;
use ir::{Kind, Operand, Parameter, Terminator, Var};
use objects::{CallKind, Callable, How, Usable, Way};
use program::Type;
use recipe::Access;
use rustc_hash::FxHashMap;
use smt::Term;
use std::sync::Arc;
use symbolic::{Bounds, Marks, State};

/// How far what makes or changes an object is walked through.
const REACH: Reach = Reach {
    visits: 2,
    walks: 120,
    entries: 4,
    // Most plans are never looked at again: those that are get asked for then.
    asks: false,
    callee: Bounds { visits: 2, depth: 5, steps: 2_000, paths: 8, failures: false, targets: 2 },
};

/// A call that may come first.
struct Called<'a> {
    act: Act,
    callable: &'a Arc<Callable>,
    /// The object that it is called on, where that is to be changed.
    on: Option<Term>,
    /// The object that it is to give.
    makes: Option<Term>,
}

impl Composer<'_> {
    pub(super) fn made_by(&mut self, plan: &Plan, wanted: &Wanted, way: &Way) -> Vec<Plan> {
        let Some(callable) = maker(way) else { return Vec::new() };
        let act = match &way.how {
            How::Stub(_) => Act::Subclass(way.clone()),
            _ => Act::Call {
                callable: callable.clone(),
                name: callable.method,
                access: way.access,
                creates: way.creates,
            },
        };
        self.before_call(plan, &Called { act, callable, on: None, makes: Some(wanted.object) })
    }

    pub(super) fn changed_by(&mut self, plan: &Plan, on: Option<Term>, usable: &Usable) -> Vec<Plan> {
        let callable = &usable.callable;
        let (name, access) = (usable.name, usable.access);
        let act = Act::Call { callable: callable.clone(), name, access, creates: None };
        self.before_call(plan, &Called { act, callable, on, makes: None })
    }

    /// The plans in which this call comes first: one for each way through the method that the condition allows. The condition is
    /// walked backwards through the method, so that what does not matter to it is left out.
    fn before_call(&mut self, plan: &Plan, called: &Called<'_>) -> Vec<Plan> {
        let Some(method) = self.world.methods.get(called.callable.method) else { return Vec::new() };
        let mut plans = Vec::new();
        for mut entry in self.entries(&method, &plan.formula, called, REACH) {
            // What the call does unseen is nothing to rely on. Of what makes an object it may all the same be what is needed.
            let certain = self.world.if_nothing_more_was_rewritten(&entry.formula, &plan.formula);
            if called.makes.is_some() && certain != entry.formula {
                plans.extend(self.at_entry(&method, plan, called, &entry, true));
            }
            entry.formula = certain;
            plans.extend(self.at_entry(&method, plan, called, &entry, false));
        }
        plans
    }

    /// What has to hold at the method's entry for this to hold when it has returned.
    fn entries(&mut self, method: &Arc<Lowered>, formula: &[Term], called: &Called<'_>, reach: Reach) -> Vec<Entry> {
        let mut entries = Vec::new();
        for (block, found) in method.body.block_ids().map(|id| (id, method.body.block(id))) {
            let Terminator::Return(value) = &found.end else { continue };
            let Some(goal) = self.at_return(method, value.as_ref(), formula, called) else { continue };
            let place = Place { block, index: found.instrs.len() };
            let mut walker = Walker::new(self.world, self.solving, self.summaries, self.lessons, Switches::ALL, reach);
            entries.extend(walker.entries(method, place, goal, Marks::default()));
            self.steps += walker.effort.steps;
        }
        entries
    }

    /// Whether this may hold of an object that the constructor has just made.
    pub(super) fn may_make(&mut self, part: Term, object: Term, constructor: &Arc<Callable>) -> bool {
        let Some(method) = self.world.methods.get(constructor.method) else { return true };
        let name = constructor.method;
        let act = Act::Call { callable: constructor.clone(), name, access: Access::Public, creates: None };
        let called = Called { act, callable: constructor, on: None, makes: Some(object) };
        let this = self.world.variable(0, Var::Local(0), Kind::Reference);
        let new = self.world.allocate(Type::Class(name.class));
        let put: FxHashMap<Term, Term> = std::iter::once((this, new)).collect();
        let terms = &self.world.terms;
        let is_possible = |entry: &Entry| {
            let formula = tidy(self.world, terms.substitute_all(&entry.formula, &put));
            !formula.contains(&terms.falsity())
        };
        // Mostly the first way says it.
        let first = self.entries(&method, &[part], &called, Reach { entries: 1, ..REACH });
        first.iter().any(is_possible)
            || (!first.is_empty() && self.entries(&method, &[part], &called, REACH).iter().any(is_possible))
    }

    /// The condition where the method returns: the object that is wanted is what it gives, or what it was called on.
    fn at_return(
        &self,
        method: &Lowered,
        value: Option<&Operand>,
        formula: &[Term],
        called: &Called<'_>,
    ) -> Option<Vec<Term>> {
        let this = || self.world.variable(0, Var::Local(0), Kind::Reference);
        let put = match (called.makes, called.on) {
            (Some(object), _) if called.callable.kind == CallKind::Constructor => Some((object, this())),
            (Some(object), _) => {
                let given = State::identity(0).operand(self.world, &method.body, value?, Kind::Reference);
                Some((object, given))
            }
            (None, Some(object)) => Some((object, this())),
            (None, None) => None,
        };
        let put: FxHashMap<Term, Term> = put.into_iter().collect();
        Some(tidy(self.world, self.world.terms.substitute_all(formula, &put)))
    }

    /// The plan with the call in front, given what must hold at the method's entry; none if nothing is gained.
    fn at_entry(
        &mut self,
        method: &Lowered,
        plan: &Plan,
        called: &Called<'_>,
        entry: &Entry,
        is_guessed: bool,
    ) -> Option<Plan> {
        let mut put: FxHashMap<Term, Term> = FxHashMap::default();
        let (mut receiver, mut args, mut objects) = (None, Vec::new(), plan.objects.clone());
        if let Some(made) = called.makes {
            objects.retain(|(object, _)| *object != made);
        }
        for (slot, parameter) in method.body.parameters() {
            match parameter {
                Parameter::This => {
                    let class = Type::Class(method.reference().class);
                    let this = match called.callable.kind {
                        CallKind::Constructor => self.world.allocate(class),
                        _ => called.on.unwrap_or_else(|| self.world.argument(Kind::Reference)),
                    };
                    if called.callable.kind != CallKind::Constructor {
                        receiver = Some(this);
                        objects.extend(called.on.is_none().then_some((this, class)));
                    }
                    put.insert(self.world.variable(0, Var::Local(slot), Kind::Reference), this);
                }
                Parameter::Declared(_, ty) => {
                    let argument = self.world.argument(ir::kind_of_type(ty));
                    put.insert(self.world.variable(0, Var::Local(slot), ir::kind_of_type(ty)), argument);
                    args.push((argument, ty));
                    objects.extend(ty.is_reference().then_some((argument, ty)));
                }
            }
        }
        let formula = tidy(self.world, self.world.terms.substitute_all(&entry.formula, &put));
        // A call that leaves everything to be brought about, and asks for more, is of no use.
        let is_useless = plan.formula.iter().all(|part| formula.contains(part));
        if is_useless || formula.contains(&self.world.terms.falsity()) {
            return None;
        }
        let mut steps = plan.steps.clone();
        steps.push(Step { act: called.act.clone(), receiver, args, makes: called.makes });
        let is_guess = plan.is_guess
            || is_guessed
            || self.relies_on_unknown(&plan.formula, &formula)
            || (called.makes.is_some() && self.is_opaque(&formula, &objects));
        let is_loose = plan.is_loose || entry.marks.loose || is_guess;
        let mut next = Plan { formula, steps, objects, is_guess, is_loose, cost: 0 };
        next.cost = self.cost(&next);
        Some(next)
    }
}
