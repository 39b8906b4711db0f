//! The instructions of frame 1 that may have thrown, and under which condition each does.
//!
//! Without JDK or library frames above it, frame 1 itself throws: an explicit `throw`, a failed check, a failed class
//! initialisation or link. With such frames, the call that leads to them throws, and they say how (see [`library`]). A line
//! for which nothing of this is found still has its calls: frames can be missing from traces.

mod checks;
mod explicit;
mod helpful;
mod library;
mod linkage;
mod overflow;

use crate::branches;
use crate::inquiry::Inquiry;
use crate::model::{Binding, BoundMethod, BranchGuard, FrameRole, Precision, TargetFrame, ThrowKind, ThrowSite};
use crate::scope::Scope;
use analysis::Lowered;
use condition::{Anchored, CompareOp, Condition, Expr, text};
use ir::BlockId;
use program::{ClassName, CodePoint, InstrId, MethodRef};
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

pub(crate) use explicit::only_exception;
pub(crate) use helpful::text as null_text;
pub(crate) use overflow::recursion;

/// An exception as reported, with its frames bound.
pub(crate) struct Thrown<'a> {
    pub(crate) exception: ClassName,
    pub(crate) message: Option<&'a str>,
    pub(crate) frames: &'a [TargetFrame],
    /// Class of the static initialiser that failed below this exception, if its cause shows one.
    pub(crate) failed_initialiser: Option<ClassName>,
}

/// A site together with where its exception is made, for those who want the message.
#[derive(Clone)]
pub(crate) struct Found<'p> {
    pub(crate) site: ThrowSite,
    /// The activation that is at the constructor call of the exception, with all calls from frame 1 down to it.
    pub(crate) made: Vec<Rc<Scope<'p>>>,
    /// The better, the smaller.
    pub(crate) rank: u32,
}

/// All candidates, the best first.
pub(crate) fn find<'p>(units: &'p Inquiry<'p>, thrown: &'p Thrown<'p>) -> Vec<Found<'p>> {
    let Some(first) = thrown.frames.iter().position(|frame| matches!(frame.role, FrameRole::Application(_))) else {
        return Vec::new();
    };
    let Binding::Bound { candidates, .. } = &thrown.frames[first].binding else { return Vec::new() };
    let mut found = Vec::new();
    for candidate in candidates {
        let Some(unit) = units.get(candidate.method) else { continue };
        let place = Place { units, thrown, unit, candidate, first };
        found.extend(place.sites());
    }
    found.sort_by_key(|found| found.rank);
    let mut unique: Vec<Found<'p>> = Vec::new();
    for one in found {
        let same = |known: &Found<'_>| {
            known.site.at == one.site.at && known.site.kind == one.site.kind && known.site.made_at == one.site.made_at
        };
        if !unique.iter().any(same) {
            unique.push(one);
        }
    }
    unique
}

/// The lines of a method that can throw the exception themselves.
pub(crate) fn able_lines(units: &Inquiry<'_>, exception: ClassName, method: MethodRef) -> Vec<u16> {
    let Some(unit) = units.get(method) else { return Vec::new() };
    let whole = BoundMethod { method, ranges: std::iter::once(0..u16::MAX).collect(), calls: Vec::new() };
    let thrown = Thrown { exception, message: None, frames: &[], failed_initialiser: None };
    let place = Place { units, thrown: &thrown, unit, candidate: &whole, first: 0 };
    let found = explicit::sites(&place).into_iter().chain(checks::sites(&place));
    let mut lines: Vec<u16> =
        found.filter_map(|found| place.unit.body.line_of(found.site.made_at.unwrap_or(found.site.at).at.bci)).collect();
    lines.sort_unstable();
    lines.dedup();
    lines
}

/// One method that frame 1 may be, with the bytecode of its line.
pub(crate) struct Place<'p> {
    pub(crate) units: &'p Inquiry<'p>,
    pub(crate) thrown: &'p Thrown<'p>,
    pub(crate) unit: Arc<Lowered>,
    pub(crate) candidate: &'p BoundMethod,
    /// Index of frame 1 among the frames.
    pub(crate) first: usize,
}

/// Ranks of whole groups; within a group smaller numbers are added.
pub(crate) mod rank {
    pub(crate) const CERTAIN: u32 = 0;
    pub(crate) const LIKELY: u32 = 1_000;
    pub(crate) const POSSIBLE: u32 = 10_000;
    pub(crate) const UNLIKELY: u32 = 100_000;
}

impl<'p> Place<'p> {
    fn sites(&self) -> Vec<Found<'p>> {
        if self.thrown.exception.as_internal() == "java/lang/StackOverflowError" {
            return overflow::sites(self);
        }
        let above = &self.thrown.frames[..self.first];
        if above.iter().any(|frame| frame.role == FrameRole::Library) {
            let found = library::sites(self);
            if !found.is_empty() {
                return found;
            }
            return library::opaque_calls(self, true);
        }
        let mut found = explicit::sites(self);
        found.extend(checks::sites(self));
        found.extend(linkage::sites(self));
        if found.is_empty() {
            found = library::hidden_helpers(self);
        }
        if found.is_empty() {
            found = library::opaque_calls(self, false);
        }
        found
    }

    /// The frames under frame 1.
    pub(crate) fn frames_below(&self) -> &'p [TargetFrame] {
        self.thrown.frames.get(self.first + 1..).unwrap_or_default()
    }

    pub(crate) fn ranges(&self) -> &[Range<u16>] {
        &self.candidate.ranges
    }

    pub(crate) fn covers(&self, bci: u16) -> bool {
        self.ranges().iter().any(|range| range.contains(&bci))
    }

    pub(crate) fn point(&self, at: InstrId) -> CodePoint {
        CodePoint { method: self.unit.reference(), at }
    }

    pub(crate) fn scope(&self, at: InstrId) -> Rc<Scope<'p>> {
        Scope::outermost(self.units, Arc::clone(&self.unit), at)
    }

    /// A site at an instruction of frame 1 with everything that can be said of it.
    pub(crate) fn site(&self, at: InstrId, kind: ThrowKind, when: Condition, precision: Precision) -> ThrowSite {
        let scope = self.scope(at);
        let guards = guards(&scope, at);
        let text = match (&when, guards.first()) {
            (Condition::True, guard) => caught(&self.unit, at, guard)
                .or_else(|| guard.map(|guard| guard.text.clone()))
                .unwrap_or_else(|| text::condition(&when, &*scope)),
            _ => text::condition(&when, &*scope),
        };
        ThrowSite {
            at: self.point(at),
            made_at: None,
            thrown_at: None,
            kind,
            condition: Anchored { at: self.point(at), when },
            precision,
            inside: Vec::new(),
            guards,
            text,
        }
    }
}

/// The branches of the method that lead to `at`, innermost first, as far as they can be told.
fn guards(scope: &Scope<'_>, at: InstrId) -> Vec<BranchGuard> {
    let Some((block, _)) = scope.unit.place_of(at) else { return Vec::new() };
    // What is known to be one value and is tested again further in has changed meanwhile.
    let mut read = Vec::new();
    let known = |guard: branches::Guard| {
        let (when, _) = branches::without_unknown(guard.when);
        let mut text = text::condition(&when, &*scope.moved(guard.at));
        if let Condition::Compare { op, left, right, .. } = &when {
            let is_settled = *op == CompareOp::Eq && matches!(right, Expr::Const(_));
            if is_settled && read.contains(left) {
                text.push_str(" (earlier)");
            }
            if !matches!(left, Expr::Param(_) | Expr::Local(_) | Expr::Operand(_)) {
                read.push(left.clone());
            }
        }
        (when != Condition::True).then(|| {
            let at = scope.point_at(guard.at);
            let seen = Anchored { at, when: branches::as_seen_at(scope, guard.at, when.clone()) };
            BranchGuard { text, condition: Anchored { at, when }, seen }
        })
    };
    branches::guards_of(scope, block).into_iter().filter_map(known).collect()
}

/// `NumberFormatException is caught`, if `at` is in a handler and the innermost guard is not.
fn caught(unit: &Lowered, at: InstrId, guard: Option<&BranchGuard>) -> Option<String> {
    let (mut handler, _) = unit.place_of(at)?;
    let types = loop {
        let types = caught_types(unit, handler);
        if !types.is_empty() {
            break types;
        }
        handler = unit.immediate_dominator(handler)?;
    };
    let inner = guard.and_then(|guard| unit.place_of(guard.condition.at.at));
    if inner.is_some_and(|(block, _)| unit.dominates(handler, block)) {
        return None;
    }
    let names: Vec<String> = types.iter().map(|class| class.simple().replace('$', ".")).collect();
    Some(format!("{} is caught", names.join(" or ")))
}

/// What a handler that begins with this block catches; nothing if it catches everything, as that of a `finally` does.
fn caught_types(unit: &Lowered, block: BlockId) -> Vec<ClassName> {
    let edges = unit.body.blocks.iter().flat_map(|block| &block.handlers).filter(|edge| edge.target == block);
    let mut types = Vec::new();
    for edge in edges {
        match edge.catch {
            Some(class) if !types.contains(&class) => types.push(class),
            Some(_) => {}
            None => return Vec::new(),
        }
    }
    types
}
