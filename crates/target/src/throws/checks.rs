//! Checks that the JVM makes implicitly: null, array index, array size, cast, array store, division.
//!
//! Each failed check on the line is a candidate. A helpful null-pointer text usually singles one out; a class-cast text
//! names the target type. Without either, values that are known to be set come last.

use super::helpful::{self, Agreement};
use super::{Found, Place, rank};
use crate::inquiry::Inquiry;
use crate::message::{NullText, known};
use crate::model::{BranchGuard, Precision, ThrowKind};
use crate::models;
use analysis::{Assignment, Lowered};
use condition::{CompareOp, Condition, Expr, NumberKind};
use ir::{Guard, Operand, Rvalue, Var};
use program::{InstrId, Number, Type};

pub(super) fn sites<'p>(place: &Place<'p>) -> Vec<Found<'p>> {
    let exception = place.thrown.exception.as_internal();
    let mut found = Vec::new();
    for range in place.ranges() {
        let guards = place.unit.body.guards_in(range.clone());
        for (at, guard) in guards.filter(|(_, guard)| guard.exception() == exception) {
            if cannot_fail(&place.unit, at, guard) {
                continue;
            }
            let (kind, when) = condition(place.units, &place.unit, at, guard);
            let site = place.site(at, kind, when, Precision::Exact);
            let rank = rank_of(place, at, guard) + contradiction(place, at, guard, &site.guards);
            found.push(Found { site, made: Vec::new(), rank });
        }
    }
    found
}

/// A value that a branch on the way has found set is null only if it has changed since, as fields do under races.
fn contradiction(place: &Place<'_>, at: InstrId, guard: &Guard, branches: &[BranchGuard]) -> u32 {
    let Guard::NotNull(value) = guard else { return 0 };
    let value = place.scope(at).value(value, at);
    let is_set = |branch: &BranchGuard| says_not_null(&branch.condition.when, &value);
    if value.is_known() && branches.iter().any(is_set) { 900 } else { 0 }
}

fn says_not_null(when: &Condition, value: &Expr) -> bool {
    match when {
        Condition::Not(inner) => matches!(&**inner, Condition::IsNull(checked) if checked == value),
        Condition::All(parts) => parts.iter().any(|part| says_not_null(part, value)),
        _ => false,
    }
}

/// The reference is the result of a method that never returns null.
fn cannot_fail(unit: &Lowered, at: InstrId, guard: &Guard) -> bool {
    let Guard::NotNull(Operand::Var(var)) = guard else { return false };
    match unit.only_assignment(*var, at) {
        Some(Assignment::At(_, Rvalue::Invoke(ir::Callee::Method { method, .. }, _))) => {
            models::never_returns_null(*method)
        }
        _ => false,
    }
}

/// The kind of failure, and when the guard fails, over the operand stack at its instruction.
pub(super) fn condition(units: &Inquiry<'_>, unit: &Lowered, at: InstrId, guard: &Guard) -> (ThrowKind, Condition) {
    let operand = |operand: &Operand| on_stack(unit, at, operand).unwrap_or_else(|| units.unknown());
    match guard {
        Guard::NotNull(Operand::Const(ir::Const::Null)) => (ThrowKind::NullDereference, Condition::True),
        Guard::NotNull(value) => (ThrowKind::NullDereference, Condition::IsNull(operand(value))),
        Guard::InBounds { array, index } => {
            let length = Expr::Length(Box::new(operand(array)));
            (ThrowKind::ArrayIndex, models::out_of_bounds(operand(index), length))
        }
        Guard::Castable(value, ty) => (ThrowKind::ClassCast, not_castable(operand(value), *ty)),
        Guard::Storable { array, value } => {
            let storable = Condition::Storable { array: operand(array), value: operand(value) };
            (ThrowKind::ArrayStore, Condition::Not(Box::new(storable)))
        }
        Guard::NotZero(value) => {
            let (kind, zero) = zero(unit, value);
            (ThrowKind::Division, Condition::compare(kind, operand(value), CompareOp::Eq, Expr::number(zero)))
        }
        Guard::NotNegative(size) => {
            (ThrowKind::NegativeSize, Condition::compare_ints(operand(size), CompareOp::Lt, Expr::int(0)))
        }
    }
}

/// What a divisor must not be.
pub(super) fn zero(unit: &Lowered, divisor: &Operand) -> (NumberKind, Number) {
    match unit.body.kind_of(divisor) {
        Some(ir::Kind::Long) => (NumberKind::Long, Number::Long(0)),
        _ => (NumberKind::Int, Number::Int(0)),
    }
}

pub(super) fn not_castable(value: Expr, ty: Type) -> Condition {
    let not_null = Condition::IsNull(value.clone()).negated();
    Condition::all([not_null, Condition::InstanceOf(value, ty).negated()])
}

/// The value as it lies on the operand stack, where a probe finds it.
fn on_stack(unit: &Lowered, at: InstrId, operand: &Operand) -> Option<Expr> {
    if let Operand::Const(ir::Const::Int(value)) = operand {
        return Some(Expr::int(*value));
    }
    let stack = unit.body.stack_before(at.bci).unwrap_or_default();
    let depth = stack.iter().rev().position(|known| known == operand)?;
    u8::try_from(depth).ok().map(Expr::Operand)
}

fn rank_of(place: &Place<'_>, at: InstrId, guard: &Guard) -> u32 {
    match guard {
        Guard::NotNull(value) => null_rank(place, at, value),
        Guard::Castable(_, ty) => cast_rank(place, *ty),
        _ => rank::LIKELY,
    }
}

/// Which dereference it was: by the text if there is one, else by what is likely to be null.
fn null_rank(place: &Place<'_>, at: InstrId, value: &Operand) -> u32 {
    let told = place.thrown.message.and_then(NullText::parse);
    if let Some(told) = told {
        return match helpful::agreement(&place.unit, at.bci, &told) {
            Agreement::Same => rank::CERTAIN,
            Agreement::SameButNames => rank::LIKELY,
            Agreement::SameAction => rank::POSSIBLE,
            Agreement::None => rank::UNLIKELY,
        };
    }
    // A message of somebody's own means that the exception was made explicitly.
    let base = if place.thrown.message.is_some() { rank::UNLIKELY } else { rank::POSSIBLE };
    base + nullness(place, at, value)
}

/// How unlikely it is that the value is null, by where it comes from.
fn nullness(place: &Place<'_>, at: InstrId, value: &Operand) -> u32 {
    if is_checked_before(place, at, value) {
        return 900;
    }
    let Operand::Var(var) = value else { return 0 };
    match place.unit.only_assignment(*var, at) {
        Some(Assignment::At(_, Rvalue::Invoke(ir::Callee::Method { method, .. }, _))) => {
            // By convention these return something.
            if matches!(method.name.as_str(), "toString" | "iterator" | "valueOf" | "clone") { 800 } else { 100 }
        }
        Some(Assignment::At(_, Rvalue::Invoke(..))) => 700,
        Some(Assignment::At(_, Rvalue::GetStatic(_))) => 300,
        _ => 100,
    }
}

/// Whether the same variable was dereferenced on every way to here and not assigned since.
fn is_checked_before(place: &Place<'_>, at: InstrId, value: &Operand) -> bool {
    let Operand::Var(var @ Var::Local(_)) = value else { return false };
    let unit = &place.unit;
    let Some((here, _)) = unit.place_of(at) else { return false };
    unit.body.guards_in(0..u16::MAX).any(|(other, guard)| {
        *guard == Guard::NotNull(value.clone())
            && other < at
            && unit.is_unchanged(*var, other, at)
            && unit.place_of(other).is_some_and(|(block, _)| block == here || unit.dominates(block, here))
    })
}

/// A class-cast text names the type of the cast.
fn cast_rank(place: &Place<'_>, ty: Type) -> u32 {
    let Some(message) = place.thrown.message else { return rank::LIKELY };
    let told = known(place.thrown.exception, message).into_iter().find_map(|template| {
        let instance = template.matches(message)?;
        let index = template.holes().position(|hole| hole.subject == "target")?;
        Some(message[instance.holes[index].range.clone()].to_owned())
    });
    match told {
        Some(told) if same_type(&told, ty) => rank::CERTAIN,
        Some(_) => rank::UNLIKELY,
        None => rank::LIKELY,
    }
}

/// The JVM writes arrays as descriptors with dots.
fn same_type(told: &str, ty: Type) -> bool {
    told == ty.to_string() || told.replace('.', "/") == ty.descriptor()
}
