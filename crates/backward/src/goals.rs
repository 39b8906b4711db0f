//! What must hold just before an instruction for it to throw the exception: where conditions begin.

use crate::journal::note;
use crate::precondition::{call_at, parameter, place};
use crate::walk::{Place, Walker};
use analysis::{Assignment, Lowered};
use condition::{Const, Expr};
use ir::{Guard, Instr, Kind, Op, Operand, Rvalue, Terminator, Var};
use program::{ClassName, FieldRef, InstrId, Type};
use smt::{Sort, Term};
use std::sync::Arc;
use symbolic::{Marks, State, World, failure};
use target::{CrashTarget, FactValue, MessageFact, ThrowKind, ThrowSite};

/// A place and what must hold there.
pub(crate) type Goal = (Place, Vec<Term>, Marks);

/// Where nothing is known but that the place must be come to.
const REACHED: Marks = Marks { cut: true, loose: true };

/// More elements than any heap that a test runs with can hold.
const TOO_MANY: i32 = 1 << 30;

/// The operations of a throw site, each with what must hold just before it for the exception to be thrown there.
pub(crate) fn of_site(
    walker: &mut Walker<'_>,
    method: &Arc<Lowered>,
    site: &ThrowSite,
    target: &CrashTarget,
) -> Vec<Goal> {
    let bci = site.at.at.bci;
    let guarded = |is_it: fn(&Guard) -> bool| guards(walker.world, method, bci, is_it);
    match site.kind {
        ThrowKind::NullDereference => guarded(|guard| matches!(guard, Guard::NotNull(_))),
        ThrowKind::ArrayIndex => guarded(|guard| matches!(guard, Guard::InBounds { .. })),
        ThrowKind::NegativeSize => guarded(|guard| matches!(guard, Guard::NotNegative(_))),
        ThrowKind::ClassCast => guarded(|guard| matches!(guard, Guard::Castable(..))),
        ThrowKind::ArrayStore => guarded(|guard| matches!(guard, Guard::Storable { .. })),
        ThrowKind::Division => guarded(|guard| matches!(guard, Guard::NotZero(_))),
        ThrowKind::Library | ThrowKind::Helper => thrown_below(walker, method, site, target),
        ThrowKind::Explicit => explicit(walker.world, method, site, target.exception).into_iter().collect(),
        ThrowKind::Allocation => allocations(walker.world, method, bci),
        ThrowKind::StackOverflow | ThrowKind::Initialisation | ThrowKind::Linkage => reached(method, bci),
    }
}

/// Being there is all that can be said: how much stack there is, or what becomes of a class, no value tells.
fn reached(method: &Lowered, bci: u16) -> Vec<Goal> {
    let first = method.body.instrs_at(bci).first().and_then(|instr| place(&method.body, instr.id));
    first.map(|place| (place, Vec::new(), REACHED)).into_iter().collect()
}

fn thrown_below(walker: &mut Walker<'_>, method: &Arc<Lowered>, site: &ThrowSite, target: &CrashTarget) -> Vec<Goal> {
    let bci = site.at.at.bci;
    let Some(place) = call_at(method, bci) else { return reached(method, bci) };
    let (ways, is_all) = walker.throwing(method, place, target.exception);
    note(|| format!("{} ways through the call end with the exception, all {is_all}", ways.len()));
    match ways.is_empty() && !is_all {
        true => vec![(place, Vec::new(), REACHED)],
        false => ways.into_iter().map(|(formula, marks)| (place, formula, marks)).collect(),
    }
}

/// A `throw`, or the constructor call of what is thrown elsewhere. What is thrown is of the class.
fn explicit(world: &World, method: &Lowered, site: &ThrowSite, exception: ClassName) -> Option<Goal> {
    let body = &method.body;
    let place = place(body, site.at.at)?;
    let block = body.block(place.block);
    let mut formula = Vec::new();
    if let (Terminator::Throw(thrown), true) = (&block.end, place.index == block.instrs.len()) {
        let object = State::identity(0).operand(world, body, thrown, Kind::Reference);
        formula.push(world.is_instance(object, Type::Class(exception)));
    }
    Some((place, formula, Marks::default()))
}

/// The guards of a bytecode instruction, each with the condition under which it fails.
fn guards(world: &World, method: &Lowered, bci: u16, is_it: fn(&Guard) -> bool) -> Vec<Goal> {
    let body = &method.body;
    let goal = |instr: &Instr| match &instr.op {
        Op::Guard(guard) if is_it(guard) => {
            let fails = failure(world, &State::identity(0), body, guard);
            let fails = fails.or_else(|| not_storable(world, method, guard, instr.id));
            let marks = Marks { cut: false, loose: fails.is_none() };
            Some((place(body, instr.id)?, fails.into_iter().collect(), marks))
        }
        _ => None,
    };
    body.instrs_at(bci).iter().filter_map(goal).collect()
}

/// The value does not fit into an array that the method made itself.
fn not_storable(world: &World, method: &Lowered, guard: &Guard, at: InstrId) -> Option<Term> {
    let Guard::Storable { array, value } = guard else { return None };
    let component = component_made(method, array, at)?;
    let value = State::identity(0).operand(world, &method.body, value, Kind::Reference);
    let terms = &world.terms;
    Some(terms.and([terms.not(world.is_null(value)), terms.not(world.is_instance(value, component))]))
}

/// The component type of the array that the operand holds, where the method made it; copies are followed.
fn component_made(method: &Lowered, array: &Operand, at: InstrId) -> Option<Type> {
    let (mut array, mut at) = (array, at);
    let mut seen = Vec::new();
    while !seen.contains(&array) {
        seen.push(array);
        match method.only_assignment(array.as_var()?, at)? {
            Assignment::At(_, Rvalue::NewArray(component, _)) => return Some(*component),
            Assignment::At(copied, Rvalue::Use(from)) => (array, at) = (from, copied),
            _ => return None,
        }
    }
    None
}

/// Arrays that no heap has room for. Of single objects it is only known where they are made.
fn allocations(world: &World, method: &Lowered, bci: u16) -> Vec<Goal> {
    let body = &method.body;
    let goal = |instr: &Instr| {
        let Op::Assign(_, Rvalue::NewArray(_, lengths)) = &instr.op else { return None };
        let length = State::identity(0).operand(world, body, lengths.first()?, Kind::Int);
        let is_large = world.terms.sle(world.terms.i32(TOO_MANY), length);
        Some((place(body, instr.id)?, vec![is_large], Marks { cut: true, loose: true }))
    };
    let found: Vec<Goal> = body.instrs_at(bci).iter().filter_map(goal).collect();
    if found.is_empty() { reached(method, bci) } else { found }
}

/// Where a frame of the JDK or of a library may throw the exception, on one of its lines: by a failed check, or by `throw`.
pub(crate) fn on_lines(
    world: &World,
    method: &Lowered,
    ranges: &[std::ops::Range<u16>],
    exception: ClassName,
) -> Vec<Goal> {
    let body = &method.body;
    let mut found = Vec::new();
    for bci in body.bytecodes().filter(|bci| ranges.iter().any(|range| range.contains(bci))) {
        for instr in body.instrs_at(bci) {
            let Op::Guard(guard) = &instr.op else { continue };
            if ClassName::internal(guard.exception()) != exception {
                continue;
            }
            let fails = failure(world, &State::identity(0), body, guard);
            let marks = Marks { cut: false, loose: fails.is_none() };
            found.extend(place(body, instr.id).map(|place| (place, fails.into_iter().collect(), marks)));
        }
    }
    for (id, block) in body.block_ids().zip(&body.blocks) {
        let Terminator::Throw(thrown) = &block.end else { continue };
        let is_made = |range: &std::ops::Range<u16>| {
            range.contains(&block.end_id.bci) || block.instrs.iter().any(|instr| is_made_at(instr, range, exception))
        };
        if ranges.iter().any(is_made) {
            let object = State::identity(0).operand(world, body, thrown, Kind::Reference);
            let is_it = world.is_instance(object, Type::Class(exception));
            found.push((Place { block: id, index: block.instrs.len() }, vec![is_it], Marks::default()));
        }
    }
    found
}

fn is_made_at(instr: &Instr, range: &std::ops::Range<u16>, exception: ClassName) -> bool {
    range.contains(&instr.id.bci) && matches!(&instr.op, Op::Assign(_, Rvalue::New(class)) if *class == exception)
}

/// What the message says of values that are there at the place of the site.
pub(crate) fn told(world: &World, method: &Lowered, site: &ThrowSite, facts: &[MessageFact]) -> Vec<Term> {
    let told = facts.iter().filter(|fact| fact.certain).filter_map(|fact| {
        let about = fact.about.as_ref().filter(|about| about.at.method == site.at.method)?;
        // What is on the operand stack elsewhere is not there.
        if about.at != site.at && about.value.contains(&|part| matches!(part, Expr::Operand(_) | Expr::Local(_))) {
            return None;
        }
        let value = Values { world, method, bci: site.at.at.bci }.of(&about.value)?;
        holds(world, value, &fact.value)
    });
    told.collect()
}

/// The value is the one that the message names.
fn holds(world: &World, value: Term, told: &FactValue) -> Option<Term> {
    let terms = &world.terms;
    match (told, terms.sort(value)) {
        (FactValue::Null, Sort::Ref) => Some(world.is_null(value)),
        (FactValue::Int(number), Sort::Bv(32)) => Some(terms.eq(value, terms.i32(i32::try_from(*number).ok()?))),
        (FactValue::Int(number), Sort::Bv(64)) => Some(terms.eq(value, terms.i64(*number))),
        (FactValue::Text(text), Sort::Ref) => {
            let units: Vec<u16> = text.encode_utf16().collect();
            let has_text = terms.eq(State::identity(0).text_of(world, value), terms.units(&units));
            Some(terms.and([world.is_instance(value, Type::Class(ClassName::string())), has_text]))
        }
        (FactValue::Class(class), Sort::Ref) => Some(world.is_instance(value, Type::Class(*class))),
        _ => None,
    }
}

/// Values at a place of a method as terms over what is there just before it.
struct Values<'a> {
    world: &'a World,
    method: &'a Lowered,
    bci: u16,
}

impl Values<'_> {
    fn of(&self, value: &Expr) -> Option<Term> {
        let (world, state) = (self.world, State::identity(0));
        match value {
            Expr::Const(Const::Int(number)) => Some(world.terms.i32(*number)),
            Expr::Const(Const::Long(number)) => Some(world.terms.i64(*number)),
            Expr::Const(Const::Null) => Some(world.terms.null()),
            Expr::This => self.parameter(|declared| matches!(declared, ir::Parameter::This)),
            Expr::Param(index) => {
                self.parameter(|declared| matches!(declared, ir::Parameter::Declared(at, _) if at == index))
            }
            Expr::Operand(depth) => {
                let stack = self.method.body.stack_before(self.bci)?;
                let at = stack.len().checked_sub(usize::from(*depth) + 1)?;
                let operand: &Operand = &stack[at];
                let kind = self.method.body.kind_of(operand)?;
                Some(state.operand(world, &self.method.body, operand, kind))
            }
            Expr::Field(object, field) => Some(self.field(self.of(object)?, *field)),
            Expr::Length(array) => Some(state.length(world, self.of(array)?)),
            _ => None,
        }
    }

    fn field(&self, object: Term, field: FieldRef) -> Term {
        State::identity(0).field(self.world, object, field)
    }

    /// A parameter that still has the value that it was given.
    fn parameter(&self, is_it: impl Fn(&ir::Parameter) -> bool) -> Option<Term> {
        let body = &self.method.body;
        let (slot, declared) = body.parameters().into_iter().find(|(_, declared)| is_it(declared))?;
        let kind = match declared {
            ir::Parameter::This => Kind::Reference,
            ir::Parameter::Declared(_, ty) => ir::kind_of_type(ty),
        };
        (!self.method.stores_to(Var::Local(slot))).then(|| parameter(self.world, body, slot, kind))
    }
}
