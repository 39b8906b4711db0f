//! Exceptions that the program makes itself: `throw new X(..)`, and what comes close to it.
//!
//! A stack trace is taken when the exception is made, so the line of frame 1 is that of the constructor call. Where the
//! object goes from there decides what kind of site it is: to an `athrow` of the same method, or back to a caller that
//! throws it. `fillInStackTrace` takes the stack trace anew, so its line counts as well.

use super::{Found, Place, rank};
use crate::model::{Binding, Precision, ThrowKind};
use crate::scope::Scope;
use analysis::{Assignment, Lowered};
use condition::Condition;
use ir::{Callee, Op, Operand, Rvalue, Terminator, Var};
use program::{ClassName, CodePoint, InstrId};
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

pub(super) fn sites<'p>(place: &Place<'p>) -> Vec<Found<'p>> {
    let mut found = Vec::new();
    let makers = makers(&place.unit, place.thrown.exception).into_iter();
    for (at, object) in makers.chain(refills(&place.unit)) {
        if place.covers(at.bci) {
            found.push(site(place, at, &object));
        }
    }
    found
}

/// The constructor calls of exactly this class, with the value that holds the exception afterwards.
pub(super) fn makers(unit: &Lowered, exception: ClassName) -> Vec<(InstrId, Operand)> {
    let made = unit.body.instrs().filter_map(|(_, instr)| match &instr.op {
        Op::Invoke(Callee::Method { method, .. }, args)
            if method.is_constructor() && method.class == exception && is_creation(unit, args) =>
        {
            Some((instr.id, args[0].clone()))
        }
        _ => None,
    });
    made.collect()
}

/// The one class of exception that the ranges make and throw or return; `None` if there are several or none.
pub(crate) fn only_exception(unit: &Lowered, ranges: &[Range<u16>]) -> Option<ClassName> {
    let mut classes: Vec<ClassName> = Vec::new();
    for (_, instr) in unit.body.instrs().filter(|(_, instr)| ranges.iter().any(|range| range.contains(&instr.id.bci))) {
        if let Op::Invoke(Callee::Method { method, .. }, args) = &instr.op
            && method.is_constructor()
            && is_creation(unit, args)
            && matches!(fate(unit, &args[0]), Fate::Thrown(_))
        {
            classes.push(method.class);
        }
    }
    classes.dedup();
    if let [only] = classes[..] { Some(only) } else { None }
}

/// Calls of `fillInStackTrace`, with what they return: any exception, its stack trace taken anew.
fn refills(unit: &Lowered) -> Vec<(InstrId, Operand)> {
    let refilled = unit.body.instrs().filter_map(|(_, instr)| match &instr.op {
        Op::Assign(result, Rvalue::Invoke(Callee::Method { method, .. }, _))
            if method.name.as_str() == "fillInStackTrace" =>
        {
            Some((instr.id, Operand::Var(*result)))
        }
        _ => None,
    });
    refilled.collect()
}

/// `new X(..)`, not `super(..)` or `this(..)` inside a constructor.
fn is_creation(unit: &Lowered, args: &[Operand]) -> bool {
    let Some(Operand::Var(var @ Var::Temp(bci))) = args.first() else { return false };
    matches!(unit.only_assignment(*var, InstrId::at(*bci)), Some(Assignment::At(_, Rvalue::New(_))))
}

fn site<'p>(place: &Place<'p>, made: InstrId, object: &Operand) -> Found<'p> {
    let (at, kind) = match fate(&place.unit, object) {
        Fate::Thrown(at) => (at, ThrowKind::Explicit),
        Fate::Returned | Fate::Unknown => (made, ThrowKind::Helper),
    };
    // The way to the constructor call is the way to the throw; the other way round there may be more than one.
    let mut site = place.site(made, kind, Condition::True, Precision::Exact);
    site.at = place.point(at);
    site.made_at = (at != made).then(|| place.point(made));
    site.condition.at = site.at;
    if kind == ThrowKind::Helper {
        site.thrown_at = thrown_below(place);
    }
    let rank = if kind == ThrowKind::Explicit { rank::LIKELY } else { rank::LIKELY + 1 };
    Found { site, made: vec![with_callers(place, made)], rank }
}

/// What becomes of an exception that a method makes.
enum Fate {
    Thrown(InstrId),
    Returned,
    Unknown,
}

fn fate(unit: &Lowered, object: &Operand) -> Fate {
    let mut returned = false;
    for block in unit.body.block_ids() {
        let block = unit.body.block(block);
        match &block.end {
            Terminator::Throw(thrown) if may_be(unit, thrown, object, block.end_id, 0) => {
                return Fate::Thrown(block.end_id);
            }
            Terminator::Return(Some(value)) => returned |= may_be(unit, value, object, block.end_id, 0),
            _ => {}
        }
    }
    if returned { Fate::Returned } else { Fate::Unknown }
}

/// Whether `value` at `at` may be the very object: through local variables, casts, joins, and calls that return their
/// receiver or argument, such as `initCause`.
fn may_be(unit: &Lowered, value: &Operand, object: &Operand, at: InstrId, depth: u32) -> bool {
    if value == object {
        return true;
    }
    let Operand::Var(var) = value else { return false };
    if depth > 8 {
        return false;
    }
    unit.assignments(*var, at).into_iter().any(|definition| match definition {
        Assignment::Entry => false,
        Assignment::At(defined, Rvalue::Use(from) | Rvalue::Cast(from, _)) => {
            may_be(unit, from, object, defined, depth + 1)
        }
        Assignment::At(defined, Rvalue::Invoke(callee, args)) => {
            returns_throwable(callee) && args.iter().any(|arg| may_be(unit, arg, object, defined, depth + 1))
        }
        Assignment::At(..) => false,
    })
}

fn returns_throwable(callee: &Callee) -> bool {
    let descriptor = match callee {
        Callee::Method { method, .. } => method.descriptor,
        Callee::Dynamic { .. } => return false,
    };
    let returned = descriptor.as_str().rsplit(')').next().unwrap_or_default();
    returned.ends_with("Exception;") || returned.ends_with("Error;") || returned == "Ljava/lang/Throwable;"
}

/// Follows the returned exception down the frames to the `athrow` on the line of one of them.
fn thrown_below(place: &Place<'_>) -> Option<CodePoint> {
    for frame in place.frames_below() {
        let Binding::Bound { candidates, .. } = &frame.binding else { return None };
        let mut goes_on = false;
        for candidate in candidates {
            let Some(unit) = place.units.get(candidate.method) else { continue };
            for call in &candidate.calls {
                match fate(&unit, &Operand::Var(Var::Temp(*call))) {
                    Fate::Thrown(at) => return Some(CodePoint { method: candidate.method, at }),
                    Fate::Returned => goes_on = true,
                    Fate::Unknown => {}
                }
            }
        }
        if !goes_on {
            return None;
        }
    }
    None
}

/// The activation at the constructor call, below those of the frames underneath as far as each has a single call.
fn with_callers<'p>(place: &Place<'p>, made: InstrId) -> Rc<Scope<'p>> {
    let mut chain = vec![(Arc::clone(&place.unit), made)];
    for frame in place.frames_below() {
        let Binding::Bound { candidates, .. } = &frame.binding else { break };
        let [only] = candidates.as_slice() else { break };
        let ([call], Some(unit)) = (only.calls.as_slice(), place.units.get(only.method)) else { break };
        if chain.len() > CALLERS || unit.call_at(*call).is_none() {
            break;
        }
        chain.push((unit, InstrId::at(*call)));
    }
    let mut scope: Option<Rc<Scope<'p>>> = None;
    while let Some((unit, at)) = chain.pop() {
        scope = Some(Rc::new(Scope { units: place.units, unit, at, caller: scope, as_read: false }));
    }
    scope.unwrap_or_else(|| place.scope(made))
}

/// Messages are built at most this many frames below the one that makes the exception.
const CALLERS: usize = 4;
