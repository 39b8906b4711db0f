//! Exceptions from below frame 1: thrown by the JDK, or by a library that is not the application.
//!
//! The frames above frame 1 say which methods were running. Their names are followed from call to call in the JDK at hand,
//! down to the instruction that throws; the branches that lead there, and the arguments passed on the way, are
//! translated back into terms of frame 1's call: `s.substring(b, e)` throws if `b < 0 || b > e || e > s.length()`. Where
//! the log's JDK is another and the names lead nowhere, callees are searched for the exception instead. Natives have
//! models ([`crate::models`]). What remains is opaque.

use super::{Found, Place, checks, explicit, rank};
use crate::branches;
use crate::inquiry::Inquiry;
use crate::model::{Binding, BoundMethod, FrameRole, Precision, TargetFrame, ThrowKind};
use crate::models;
use crate::scope::Scope;
use analysis::Assignment;
use condition::{Anchored, CompareOp, Condition, Const, Expr};
use ir::{Callee, Guard, InvokeKind, Operand, Rvalue, Terminator};
use program::{ClassName, CodePoint, InstrId, MethodRef, Resolved, Subtype, Type};
use std::cell::Cell;
use std::ops::Range;
use std::rc::Rc;

/// The calls of frame 1 that lead to the frames above, each with the condition under which it throws.
pub(super) fn sites<'p>(place: &Place<'p>) -> Vec<Found<'p>> {
    let search = Search::new(place, SEARCHED);
    let mut found = Vec::new();
    for call in &place.candidate.calls {
        let scope = place.scope(InstrId::at(*call));
        let ways = search.through_call(&scope, Trail::new(&place.thrown.frames[..place.first], place.thrown.exception));
        found.extend(site(place, *call, ThrowKind::Library, &ways));
    }
    found
}

/// Calls on the line that throw the exception themselves although the trace does not show their frame: some runtimes cut
/// their own check helpers off.
pub(super) fn hidden_helpers<'p>(place: &Place<'p>) -> Vec<Found<'p>> {
    let calls: Vec<u16> = calls_in(place).collect();
    let mut found = Vec::new();
    for call in calls {
        let search = Search::new(place, SEARCHED / 4);
        let ways = search.through_call(&place.scope(InstrId::at(call)), Trail::new(&[], place.thrown.exception));
        let made: Vec<Way<'p>> = ways.into_iter().filter(|way| way.made.is_some()).collect();
        if !made.is_empty() {
            found.extend(site(place, call, ThrowKind::Helper, &made));
        }
    }
    found
}

/// All calls on the line, of which nothing is known but that one of them must throw; with `leading`, those that lead to the
/// frames above.
pub(super) fn opaque_calls<'p>(place: &Place<'p>, leading: bool) -> Vec<Found<'p>> {
    let chosen: Vec<u16> = match place.candidate.calls.as_slice() {
        [] => calls_in(place).collect(),
        calls if leading => calls.to_vec(),
        _ => calls_in(place).collect(),
    };
    let kind = if leading { ThrowKind::Library } else { ThrowKind::Helper };
    chosen.into_iter().filter_map(|call| site(place, call, kind, &[])).collect()
}

fn calls_in<'a>(place: &'a Place<'_>) -> impl Iterator<Item = u16> + 'a {
    let calls = place.unit.body.bytecodes().filter(|bci| place.covers(*bci));
    calls.filter(|bci| place.unit.call_at(*bci).is_some())
}

/// The site of a call with what the ways below it add up to.
fn site<'p>(place: &Place<'p>, call: u16, kind: ThrowKind, ways: &[Way<'p>]) -> Option<Found<'p>> {
    let Some((callee, _)) = place.unit.call_at(call) else { return loading(place, call) };
    let opaque = match callee {
        Callee::Method { method, .. } => Condition::CallThrows { callee: *method, exception: place.thrown.exception },
        Callee::Dynamic { .. } => Condition::True,
    };
    let (when, precision) = combined(ways).unwrap_or((opaque, Precision::Opaque));
    let when = branches::with_booleans(&place.scope(InstrId::at(call)), when);
    let mut site = place.site(InstrId::at(call), kind, when, precision);
    site.inside = sound(ways).map(|way| way.inside.clone()).collect();
    let made = sound(ways).filter_map(|way| way.made.clone()).collect();
    let rank = match precision {
        Precision::Exact => rank::LIKELY,
        Precision::Partial => rank::LIKELY + 1,
        Precision::Opaque => rank::POSSIBLE,
    };
    Some(Found { site, made, rank })
}

/// An instruction that is no call but leads to frames of the class loader.
fn loading<'p>(place: &Place<'p>, bci: u16) -> Option<Found<'p>> {
    let at = place.unit.body.instrs_at(bci).last()?.id;
    let site = place.site(at, ThrowKind::Linkage, Condition::True, Precision::Opaque);
    Some(Found { site, made: Vec::new(), rank: rank::POSSIBLE })
}

/// One way to the exception.
#[derive(Clone)]
struct Way<'p> {
    /// For the anchor, which is frame 1's call.
    when: Condition,
    /// Nothing on the way was left out.
    complete: bool,
    /// It depends on the JDK's own state, which is as it should be unless nothing else explains the exception.
    doubtful: bool,
    /// The throwing instruction, with the condition there.
    inside: Anchored,
    /// The activation at the constructor call of the exception.
    made: Option<Rc<Scope<'p>>>,
}

/// The ways without the doubtful ones, if there are others.
fn sound<'a, 'p>(ways: &'a [Way<'p>]) -> impl Iterator<Item = &'a Way<'p>> {
    let all_doubtful = ways.iter().all(|way| way.doubtful);
    ways.iter().filter(move |way| all_doubtful || !way.doubtful)
}

/// Any of the ways; `None` if they say nothing.
fn combined(ways: &[Way<'_>]) -> Option<(Condition, Precision)> {
    let possible: Vec<&Way<'_>> = sound(ways).filter(|way| way.when != Condition::False).collect();
    let telling: Vec<&Way<'_>> = possible.iter().copied().filter(|way| way.when != Condition::True).collect();
    if let Some(always) = possible.iter().find(|way| way.when == Condition::True && way.complete) {
        return Some((always.when.clone(), Precision::Exact));
    }
    if telling.is_empty() {
        return None;
    }
    let complete = telling.len() == possible.len() && telling.iter().all(|way| way.complete);
    let when = Condition::any(telling.iter().take(MOST_WAYS).map(|way| way.when.clone()));
    let precision = if complete && telling.len() <= MOST_WAYS { Precision::Exact } else { Precision::Partial };
    Some((when, precision))
}

/// Methods looked at for one call of frame 1.
const SEARCHED: usize = 64;
/// Calls below the last frame that the trace names.
const DEEPEST: usize = 5;
/// Dereferences are everywhere: further down they say nothing about the arguments.
const DEEPEST_FOR_NULL: usize = 2;
const MOST_WAYS: usize = 8;

/// The frames above frame 1 that are still ahead, the next one last; behind them, how deep callees may be searched.
#[derive(Clone, Copy)]
struct Trail<'a> {
    frames: &'a [TargetFrame],
    free: usize,
}

impl<'a> Trail<'a> {
    fn new(frames: &'a [TargetFrame], exception: ClassName) -> Self {
        let is_null = exception.as_internal() == "java/lang/NullPointerException";
        Trail { frames, free: if is_null { DEEPEST_FOR_NULL } else { DEEPEST } }
    }

    /// The next frame's candidates and the trail behind it; `None` at the end, or where names lead no further because of
    /// glue or a frame that our JDK does not have.
    fn next(self) -> Option<(&'a [BoundMethod], Trail<'a>)> {
        let (next, rest) = self.frames.split_last()?;
        match &next.binding {
            Binding::Bound { candidates, .. } if next.role == FrameRole::Library => {
                Some((candidates, Trail { frames: rest, free: self.free }))
            }
            _ => None,
        }
    }

    /// One call further without a name to follow.
    fn off(self) -> Option<Trail<'static>> {
        Some(Trail { frames: &[], free: self.free.checked_sub(1)? })
    }

    fn ends(self) -> bool {
        self.frames.is_empty()
    }
}

struct Search<'p> {
    units: &'p Inquiry<'p>,
    exception: ClassName,
    left: Cell<usize>,
}

impl<'p> Search<'p> {
    fn new(place: &Place<'p>, limit: usize) -> Self {
        Search { units: place.units, exception: place.thrown.exception, left: Cell::new(limit) }
    }

    /// The ways on which the call that `scope` is at ends in the exception.
    fn through_call(&self, scope: &Rc<Scope<'p>>, trail: Trail<'_>) -> Vec<Way<'p>> {
        let Some((callee, args)) = scope.unit.call_at(scope.at.bci) else { return Vec::new() };
        if let Some((candidates, rest)) = trail.next() {
            let ways: Vec<Way<'p>> =
                candidates.iter().flat_map(|candidate| self.in_candidate(scope, candidate, rest)).collect();
            if !ways.is_empty() {
                return ways;
            }
        }
        let Callee::Method { kind, method, .. } = callee else { return Vec::new() };
        let Some(trail) = trail.off().filter(|_| self.spend()) else { return Vec::new() };
        let Some(target) = self.target(*kind, *method).filter(|target| !scope.contains(*target)) else {
            return Vec::new();
        };
        match self.units.get(target) {
            Some(unit) => {
                let inner = scope.call(unit, InstrId::at(0));
                let mut ways = self.thrown_in(&inner, None);
                ways.extend(self.thrown_below(&inner, trail));
                ways
            }
            None => self.native(scope, target, args),
        }
    }

    /// A method that the trace names.
    fn in_candidate(&self, scope: &Rc<Scope<'p>>, candidate: &BoundMethod, rest: Trail<'_>) -> Vec<Way<'p>> {
        let Some(unit) = self.units.get(candidate.method) else {
            let args = scope.unit.call_at(scope.at.bci).map_or(&[][..], |(_, args)| args);
            return self.native(scope, candidate.method, args);
        };
        let inner = scope.call(unit, InstrId::at(0));
        if !rest.ends() {
            let calls = candidate.calls.iter();
            let ways: Vec<Way<'p>> =
                calls.flat_map(|call| self.guarded(&inner.moved(InstrId::at(*call)), rest)).collect();
            if !ways.is_empty() {
                return ways;
            }
        }
        let ways = self.thrown_in(&inner, Some(&candidate.ranges));
        if ways.iter().any(|way| !way.doubtful) {
            return ways;
        }
        let below = self.thrown_below(&inner, rest);
        if below.is_empty() { ways } else { below }
    }

    /// The ways through a call inside a callee, under the branches that lead to the call.
    fn guarded(&self, scope: &Rc<Scope<'p>>, trail: Trail<'_>) -> Vec<Way<'p>> {
        let ways = self.through_call(scope, trail);
        if ways.is_empty() {
            return ways;
        }
        let (path, complete) = path(scope, scope.at);
        let under = |way: Way<'p>| Way {
            when: Condition::all([path.clone(), way.when]),
            complete: complete && way.complete,
            ..way
        };
        ways.into_iter().map(under).filter(|way| way.when != Condition::False).collect()
    }

    /// The ways on which the method itself throws.
    fn thrown_in(&self, scope: &Rc<Scope<'p>>, ranges: Option<&[Range<u16>]>) -> Vec<Way<'p>> {
        let covers = |at: InstrId| ranges.is_none_or(|ranges| ranges.iter().any(|range| range.contains(&at.bci)));
        let mut ways = Vec::new();
        for (at, _) in explicit::makers(&scope.unit, self.exception).into_iter().filter(|(at, _)| covers(*at)) {
            let mut way = way(scope, at, Condition::True);
            way.made = Some(scope.moved(at));
            ways.push(way);
        }
        let guards: Vec<(InstrId, Guard)> = scope
            .unit
            .body
            .guards_in(0..u16::MAX)
            .filter(|(at, guard)| covers(*at) && guard.exception() == self.exception.as_internal())
            .map(|(at, guard)| (at, guard.clone()))
            .collect();
        for (at, guard) in guards {
            let fails = fails(scope, at, &guard);
            if !branches::is_unknown(&fails) && fails != Condition::False {
                let doubtful = matches!(&fails, Condition::IsNull(value) if self.is_internal(value));
                ways.push(Way { doubtful, ..way(scope, at, fails) });
            }
        }
        if ways.is_empty() {
            ways.extend(self.thrown_from_elsewhere(scope, ranges));
        }
        ways.retain(|way| way.when != Condition::False);
        ways
    }

    /// `throw` of a value that another method made and that may be of the class.
    fn thrown_from_elsewhere(&self, scope: &Rc<Scope<'p>>, ranges: Option<&[Range<u16>]>) -> Vec<Way<'p>> {
        let unit = &scope.unit;
        let mut ways = Vec::new();
        for block in unit.body.block_ids() {
            let block = unit.body.block(block);
            let at = block.end_id;
            let Terminator::Throw(Operand::Var(var)) = &block.end else { continue };
            let covered = ranges.is_none_or(|ranges| ranges.iter().any(|range| range.contains(&at.bci)));
            let from_call = unit
                .assignments(*var, at)
                .into_iter()
                .any(|definition| matches!(definition, Assignment::At(_, Rvalue::Invoke(..) | Rvalue::Cast(..))));
            let declared = unit.body.type_of(&Operand::Var(*var)).and_then(Type::as_class);
            if covered && from_call && declared.is_some_and(|declared| self.may_be(declared)) {
                ways.push(way(scope, at, Condition::True));
            }
        }
        ways
    }

    fn may_be(&self, declared: ClassName) -> bool {
        declared == self.exception || self.units.program.is_subtype(self.exception, declared) == Subtype::Yes
    }

    /// Searches the callees of a method for the exception.
    fn thrown_below(&self, scope: &Rc<Scope<'p>>, trail: Trail<'_>) -> Vec<Way<'p>> {
        let calls: Vec<u16> = scope.unit.body.bytecodes().filter(|bci| scope.unit.call_at(*bci).is_some()).collect();
        let trail = Trail { frames: &[], free: trail.free };
        calls
            .into_iter()
            .flat_map(|call| self.guarded(&scope.moved(InstrId::at(call)), trail))
            .take(2 * MOST_WAYS)
            .collect()
    }

    /// Counts the methods that are looked at without a name to follow.
    fn spend(&self) -> bool {
        let left = self.left.get();
        self.left.set(left.saturating_sub(1));
        left > 0
    }

    fn is_internal(&self, value: &Expr) -> bool {
        models::is_internal(value, |class| self.units.program.is_jdk(class))
    }

    /// The method that runs, if that can be told without knowing the receiver.
    fn target(&self, kind: InvokeKind, method: MethodRef) -> Option<MethodRef> {
        let Resolved::Found(found) = self.units.program.resolve_method(method) else { return None };
        let is_virtual = matches!(kind, InvokeKind::Virtual | InvokeKind::Interface);
        (!is_virtual || !found.access.is_abstract()).then(|| found.reference())
    }

    fn native(&self, scope: &Rc<Scope<'p>>, callee: MethodRef, args: &[Operand]) -> Vec<Way<'p>> {
        let values: Vec<Expr> = if scope.caller.is_none() {
            (0..args.len()).map(|index| outermost_argument(scope, index)).collect()
        } else {
            args.iter().map(|arg| scope.value(arg, scope.at)).collect()
        };
        let Some(when) = models::native(callee, self.exception.as_internal(), &values) else { return Vec::new() };
        let (when, complete) = branches::without_unknown(when);
        let inside = Anchored { at: scope.point(), when: when.clone() };
        vec![Way { when, complete, doubtful: false, inside, made: None }]
    }
}

fn outermost_argument(scope: &Scope<'_>, index: usize) -> Expr {
    match scope.unit.argument(scope.at.bci, index) {
        Some((Operand::Const(ir::Const::Int(value)), _)) => Expr::Const(Const::Int(*value)),
        Some((Operand::Const(ir::Const::Null), _)) => Expr::Const(Const::Null),
        Some((_, depth)) => Expr::Operand(depth),
        None => scope.units.unknown(),
    }
}

/// A way that ends at `at` inside `scope` if `fails` holds there and the branches lead there.
fn way<'p>(scope: &Scope<'p>, at: InstrId, fails: Condition) -> Way<'p> {
    let (path, complete) = path(scope, at);
    let point = CodePoint { method: scope.unit.reference(), at };
    Way {
        inside: Anchored { at: point, when: local_condition(scope, at) },
        when: Condition::all([path, fails]),
        complete,
        doubtful: false,
        made: None,
    }
}

/// The same failure in terms of the method it happens in.
fn local_condition(scope: &Scope<'_>, at: InstrId) -> Condition {
    let guard = scope.unit.body.instrs_at(at.bci).iter().find(|instr| instr.id == at);
    match guard.map(|instr| &instr.op) {
        Some(ir::Op::Guard(guard)) => checks::condition(scope.units, &scope.unit, at, guard).1,
        _ => Condition::True,
    }
}

/// The branches that lead to `at`, for the anchor, and whether all of them could be translated.
fn path(scope: &Scope<'_>, at: InstrId) -> (Condition, bool) {
    let Some((block, _)) = scope.unit.place_of(at) else { return (Condition::True, false) };
    let guards = branches::guards_of(scope, block).into_iter().rev();
    let (known, complete): (Vec<Condition>, Vec<bool>) =
        guards.map(|guard| branches::without_unknown(guard.when)).unzip();
    (Condition::all(known), complete.into_iter().all(|all| all) && !scope.unit.is_in_loop(block))
}

/// When a guard fails, for the anchor.
fn fails(scope: &Scope<'_>, at: InstrId, guard: &Guard) -> Condition {
    let value = |operand: &Operand| scope.value(operand, at);
    match guard {
        Guard::NotNull(operand) => match value(operand) {
            Expr::Const(Const::Null) => Condition::True,
            value if models::is_never_null(&value) => Condition::False,
            value => Condition::IsNull(value),
        },
        Guard::InBounds { array, index } => models::out_of_bounds(value(index), Expr::Length(Box::new(value(array)))),
        Guard::Castable(operand, ty) => checks::not_castable(value(operand), *ty),
        Guard::Storable { array, value: stored } => {
            Condition::Not(Box::new(Condition::Storable { array: value(array), value: value(stored) }))
        }
        Guard::NotZero(operand) => {
            let (kind, zero) = checks::zero(&scope.unit, operand);
            Condition::compare(kind, value(operand), CompareOp::Eq, Expr::number(zero))
        }
        Guard::NotNegative(operand) => Condition::compare_ints(value(operand), CompareOp::Lt, Expr::int(0)),
    }
}
