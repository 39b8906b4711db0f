//! Calls: what runs, and how its result comes back.

use super::{End, Frame, Paths, Runner, Summary, Way, arguments};
use crate::leaves::Region;
use crate::models;
use crate::stand_in::stand_in;
use crate::world::World;
use analysis::{Limits, Lowered};
use ir::{Callee, Instr, InvokeKind, Operand};
use program::{ClassName, InstrId, MethodRef, Subtype, Type};
use smt::{ClassSet, Term};
use std::collections::BTreeSet;
use std::sync::Arc;

/// What a call runs.
pub(super) enum Called {
    One(MethodRef),
    /// With the condition under which it is this one; whether there are others.
    Several(Vec<(MethodRef, Term)>, bool),
    /// An interface's method on an object that the test may supply.
    Supplied,
    Unseen,
}

/// A call with its arguments, receiver first, and what is known of their types statically.
#[derive(Clone, Debug)]
pub(super) struct Call {
    pub(super) named: MethodRef,
    pub(super) args: Vec<Term>,
    pub(super) types: Vec<Option<Type>>,
    pub(super) receivers: Option<Receivers>,
}

/// The classes that the receiver may be of, where the code around the call shows who made it.
#[derive(Clone, Debug)]
pub(super) struct Receivers {
    pub(super) classes: BTreeSet<ClassName>,
    /// It may be of others too: something came in from elsewhere.
    pub(super) has_others: bool,
}

impl Receivers {
    pub(super) fn of(world: &World, method: &Lowered, receiver: &Operand, at: InstrId) -> Option<Receivers> {
        let methods = &world.methods;
        let exact = methods.classes_of(method, receiver, at).map(|classes| Receivers { classes, has_others: false });
        let likely = || methods.likely_classes_of(method, receiver, at, stand_in);
        let found = exact.or_else(|| likely().map(|classes| Receivers { classes, has_others: true }));
        found.filter(|found| !found.classes.is_empty())
    }
}

impl Runner<'_> {
    pub(super) fn call(&mut self, way: Way, method: &Arc<Lowered>, instr: &Instr) -> Option<Way> {
        let (callee, operands) = instr.op.call()?;
        let args = arguments(self.world, &way.state, &method.body, callee, operands);
        if let Some(dynamic) = method.dynamic(callee) {
            return self.dynamic(way, method, instr, &dynamic, &args);
        }
        let Callee::Method { kind, method: named, .. } = callee else { return None };
        let types = operands.iter().map(|operand| method.body.type_of(operand)).collect();
        let classes = |receiver: &Operand| Receivers::of(self.world, method, receiver, instr.id);
        let call = Call { named: *named, args, types, receivers: operands.first().and_then(classes) };
        let is_dispatched = matches!(kind, InvokeKind::Virtual | InvokeKind::Interface);
        if is_dispatched && let Some(adapter) = self.lambda_call(&call) {
            let (adapter, args) = adapter;
            return self.descend(way, instr, &adapter, &args, *named);
        }
        if let Some(wanted) = self.wanted.filter(|_| is_dispatched) {
            self.enter_wanted(&way, instr, wanted, &call);
        }
        match self.targets(callee, *kind, method.reference().class, &call) {
            Called::One(target) => self.invoke(way, instr, target, &call),
            Called::Several(targets, has_others) => {
                for (target, condition) in targets.into_iter().rev() {
                    let mut on = way.clone();
                    on.state.assume(self.world, condition);
                    on.state.marks.cut |= has_others;
                    if on.state.is_impossible() {
                        continue;
                    }
                    if let Some(on) = self.invoke(on, instr, target, &call) {
                        self.open.push(on);
                    }
                }
                self.is_cut |= has_others;
                None
            }
            Called::Supplied => {
                let (way, value) = supplied(self.world, way, &call);
                Some(self.go_on(way, instr, value))
            }
            Called::Unseen => self.unseen(way, instr, &call),
        }
    }

    /// Enters the method that is wanted, if the receiver may be of a class that has it.
    fn enter_wanted(&mut self, way: &Way, instr: &Instr, wanted: MethodRef, call: &Call) {
        let (world, named) = (self.world, call.named);
        let is_named = named.name == wanted.name && named.descriptor == wanted.descriptor;
        let is_below = || world.program().is_subtype(wanted.class, named.class) == Subtype::Yes;
        // Others are come to by what the call runs for sure.
        if !is_named || world.known_type(call.args[0]).is_some() || !is_below() {
            return;
        }
        let Some(target) = world.methods.get(wanted) else { return };
        let mut on = way.clone();
        on.state.assume(world, world.is_instance(call.args[0], Type::Class(wanted.class)));
        if !on.state.is_impossible() {
            self.descend(on, instr, &target, &call.args, named);
        }
    }

    /// Runs the method: its model, else its code.
    fn invoke(&mut self, way: Way, instr: &Instr, target: MethodRef, call: &Call) -> Option<Way> {
        if self.wanted != Some(target)
            && let Some(answers) = models::answer(self.world, &way.state, target, &call.args, &call.types)
        {
            return self.modelled(&way, instr, answers);
        }
        match self.world.methods.get(target) {
            Some(lowered) => self.descend(way, instr, &lowered, &call.args, call.named),
            None => self.unseen(way, instr, &Call { named: target, ..call.clone() }),
        }
    }

    pub(super) fn go_on(&self, mut way: Way, instr: &Instr, value: Option<Term>) -> Way {
        if let (Some(var), Some(value)) = (instr.op.defines(), value) {
            way.state.vars.insert(var, value);
        }
        way.frame_mut().index += 1;
        way
    }

    pub(super) fn modelled(&mut self, way: &Way, instr: &Instr, answers: Vec<models::Answer>) -> Option<Way> {
        let at = way.at(instr.id);
        for answer in answers.into_iter().rev() {
            let mut on = way.clone();
            on.state.memory = answer.memory;
            on.state.marks = on.state.marks.with(answer.marks);
            on.state.assume(self.world, answer.when);
            match answer.outcome {
                // The exception was to come out of this call.
                models::Outcome::Returns(_) if self.is_there(&on).is_some() => {}
                models::Outcome::Returns(value) => {
                    let on = self.go_on(on, instr, value);
                    self.open.push(on);
                }
                models::Outcome::Throws(class) => {
                    if self.follows_failures(&on, Some(class)) {
                        self.throw_new(on, class, at);
                    }
                }
            }
        }
        self.open.pop()
    }

    pub(super) fn descend(
        &mut self,
        mut way: Way,
        instr: &Instr,
        target: &Arc<Lowered>,
        args: &[Term],
        named: MethodRef,
    ) -> Option<Way> {
        if self.wanted == Some(target.reference()) {
            let mut state = Paths::start(&target.body, way.state, args);
            state.depth = 0;
            self.done.push(Summary { state, end: End::Entered });
            return None;
        }
        let depth = u16::try_from(way.frames.len()).unwrap_or(u16::MAX);
        if depth > self.bounds.depth {
            way.state.marks.cut = true;
            self.is_cut = true;
            return self.unseen(way, instr, &Call { named, args: args.to_vec(), types: Vec::new(), receivers: None });
        }
        let caller_vars = std::mem::take(&mut way.state.vars);
        way.frame_mut().vars = caller_vars;
        way.state = Paths::start(&target.body, way.state, args);
        way.state.depth += 1;
        way.frames.push(Frame::new(target.clone()));
        Some(way)
    }

    fn targets(&self, callee: &Callee, kind: InvokeKind, caller: ClassName, call: &Call) -> Called {
        let (world, named) = (self.world, call.named);
        if matches!(kind, InvokeKind::Virtual | InvokeKind::Interface) {
            // Arrays have the methods of `Object`.
            let known = world.known_type(call.args[0]).map(|ty| ty.as_class().unwrap_or(ClassName::object()));
            if let Some(class) = known {
                let found = world.program().select_virtual(class, named).found();
                return found.map_or(Called::Unseen, |found| Called::One(found.reference()));
            }
            if let Some(called) = self.by_exact_class(call) {
                return called;
            }
            let is_supplied = world.program().class(named.class).is_some_and(|class| class.is_interface());
            if is_supplied && named.signature().params.len() <= 1 {
                return Called::Supplied;
            }
        }
        let limits = Limits { targets: self.bounds.targets.max(1) + 1, ..Limits::default() };
        let targets = world.methods.targets(callee, caller, limits);
        let has_others = targets.cut || targets.open || !targets.lambdas.is_empty();
        match &targets.methods[..] {
            [] => Called::Unseen,
            [one] if !targets.cut && targets.lambdas.is_empty() => Called::One(*one),
            several => {
                let with = |method: &MethodRef| (*method, self.receives(call.args[0], *method, several));
                let taken = several.iter().take(self.bounds.targets).map(with).collect();
                Called::Several(taken, has_others || several.len() > self.bounds.targets)
            }
        }
    }

    /// What runs where it is known which classes the receiver may be of, or which one it may as well be.
    fn by_exact_class(&self, call: &Call) -> Option<Called> {
        let world = self.world;
        let (classes, has_others) = match &call.receivers {
            Some(known) => (known.classes.iter().copied().collect(), known.has_others),
            None => (vec![stand_in(call.named.class)?], true),
        };
        let mut targets: Vec<(MethodRef, ClassSet)> = Vec::new();
        for class in classes {
            let target = world.program().select_virtual(class, call.named).found()?.reference();
            let only = ClassSet::of([world.classes.id(Type::Class(class))]);
            match targets.iter_mut().find(|(known, _)| *known == target) {
                Some((_, classes)) => *classes = classes.union(&only),
                None => targets.push((target, only)),
            }
        }
        let has_others = has_others || targets.len() > self.bounds.targets;
        let with = |(target, classes): (MethodRef, ClassSet)| (target, world.terms.class_in(call.args[0], &classes));
        Some(Called::Several(targets.into_iter().take(self.bounds.targets).map(with).collect(), has_others))
    }

    /// The receiver is of a class that has this implementation and not one of those below it.
    pub(super) fn receives(&self, receiver: Term, method: MethodRef, all: &[MethodRef]) -> Term {
        let world = self.world;
        let mut classes: ClassSet = ClassSet::clone(&world.classes.below(Type::Class(method.class)));
        for other in all {
            let is_below = || world.program().is_subtype(other.class, method.class) == Subtype::Yes;
            if other.class != method.class && is_below() {
                classes = classes.intersection(&world.classes.below(Type::Class(other.class)).complement());
            }
        }
        world.terms.class_in(receiver, &classes)
    }
}

/// What an object answers that may be the test's own: a cell of the method's region, whose content the test decides. Asked for nothing, it
/// may be told anything, so a method without a result is assumed to do nothing. Asked twice it may answer otherwise, which is left
/// out.
fn supplied(world: &World, mut way: Way, call: &Call) -> (Way, Option<Term>) {
    let Some(ty) = call.named.signature().ret else { return (way, None) };
    way.state.marks.cut |= !way.state.asked.insert(call.named);
    let region = way.state.region(world, Region::Answer(call.named));
    let value = match call.args[..] {
        [receiver, argument] => {
            let smt::Sort::Array(sort) = world.terms.sort(region) else { unreachable!("answers are regions") };
            let key = world.as_stored(argument, sort.second.map_or(smt::Sort::Ref, Into::into));
            world.terms.select(region, (receiver, key))
        }
        _ => world.terms.select(region, call.args[0]),
    };
    let value = world.as_operand(value, ty);
    way.state.assume(world, world.well_typed(value, ty));
    (way, Some(value))
}
