//! Under which condition on its parameters and on memory does a frame of the trace crash? From the throwing instruction outwards, as in
//! STAR (Chen and Kim, "STAR: Stack Trace Based Automatic Crash Reproduction via Symbolic Execution", section 3): the condition of one
//! frame, in terms of the arguments of the call that leads to it, is the goal within its caller.
//!
//! Frames of the JDK and of libraries count like any other while there is code for them and their lines fit. Where they do not, the call is
//! run forward to where it enters the method above (callbacks, lambdas, other versions of the JDK).

use crate::goals::{self, Goal};
use crate::journal::note;
use crate::walk::{Entry, Place, Walker};
use analysis::Lowered;
use ir::{Body, Callee, Kind, Parameter, Var};
use program::{ClassName, InstrId, MethodRef, Type};
use rustc_hash::FxHashMap;
use smt::Term;
use std::sync::Arc;
use symbolic::{Bounds, Marks, Paths, State, World, arguments};
use target::{Binding, CrashTarget, FrameRole, TargetFrame, ThrowKind};

/// A condition at the entry of a method of the trace under which the crash happens.
#[derive(Clone, Debug)]
pub(crate) struct Precondition {
    /// Number of the application frame; 1 is the top. Frames of the JDK have none.
    pub(crate) frame: u32,
    pub(crate) method: Arc<Lowered>,
    /// Over the parameters of the method and memory at its entry.
    pub(crate) formula: Vec<Term>,
    pub(crate) marks: Marks,
}

/// Conditions of one frame that are kept, over all throw sites or calls.
const MOST_PER_FRAME: usize = 12;
/// The same of frames that nobody asks about.
const MOST_BETWEEN: usize = 4;

/// How far a call is run to where it enters the method of the frame above.
const INTO: Bounds = Bounds { visits: 2, depth: 6, steps: 6_000, paths: 4, failures: false, targets: 2 };

/// Conditions of one frame as they come: for each condition of the frame above, those that it leads to.
#[derive(Default)]
struct Found {
    of_each: Vec<Vec<Precondition>>,
}

impl Found {
    /// The first ones of each come first.
    fn into_best(self, most: usize) -> Vec<Precondition> {
        let mut best: Vec<Precondition> = Vec::new();
        let longest = self.of_each.iter().map(Vec::len).max().unwrap_or_default();
        for rank in 0..longest {
            for one in self.of_each.iter().filter_map(|of| of.get(rank)) {
                if best.len() < most && !best.iter().any(|known| known.formula == one.formula) {
                    best.push(one.clone());
                }
            }
        }
        best
    }
}

/// The conditions at the entry of the topmost application frame.
pub(crate) fn of_top(walker: &mut Walker<'_>, target: &CrashTarget) -> Vec<Precondition> {
    let mut found = Found::default();
    let mut guessed = Found::default();
    for site in &target.throw_sites {
        let Some(method) = walker.world.methods.get(site.at.method) else { continue };
        let facts = if walker.switches.message { &target.message_facts[..] } else { &[] };
        let told = goals::told(walker.world, &method, site, facts);
        for (place, formula, marks) in goals::of_site(walker, &method, site, target) {
            let is_guess = formula.is_empty() && marks.loose;
            let with_told = formula.iter().chain(&told).copied().collect();
            let mut entries = entries(walker, 1, &method, (place, with_told, marks));
            if entries.is_empty() && !told.is_empty() {
                entries = self::entries(walker, 1, &method, (place, formula.clone(), marks));
            }
            note(|| format!("site {:?} {:?} with {formula:?}: {} entries", site.at, site.kind, entries.len()));
            if is_guess { &mut guessed } else { &mut found }.of_each.push(entries);
        }
    }
    // What the frames of the JDK above say is better than that the call must be come to.
    let is_below_library = |site: &target::ThrowSite| matches!(site.kind, ThrowKind::Library | ThrowKind::Helper);
    if found.of_each.iter().all(Vec::is_empty) && target.throw_sites.iter().any(is_below_library) {
        found.of_each.push(below_library(walker, target));
    }
    let best = found.into_best(MOST_PER_FRAME);
    if best.is_empty() { guessed.into_best(MOST_PER_FRAME) } else { best }
}

/// The conditions at the entry of the topmost application frame, by way of the frames of the JDK above it.
fn below_library(walker: &mut Walker<'_>, target: &CrashTarget) -> Vec<Precondition> {
    let is_application = |frame: &TargetFrame| matches!(frame.role, FrameRole::Application(_));
    let first = target.frames.iter().position(is_application);
    let Some(first) = first.filter(|first| *first > 0) else { return Vec::new() };
    let Some(Binding::Bound { candidates, .. }) = target.frames.first().map(|frame| &frame.binding) else {
        return Vec::new();
    };
    let mut found = Found::default();
    for bound in candidates {
        let Some(method) = walker.world.methods.get(bound.method) else { continue };
        for goal in goals::on_lines(walker.world, &method, &bound.ranges, target.exception) {
            found.of_each.push(entries(walker, 0, &method, goal));
        }
    }
    let top = found.into_best(MOST_BETWEEN);
    of_caller(walker, &target.frames[1..first], &target.frames[first], &top)
}

/// The conditions at the entry of the caller, given those of the application frame above it and the frames between the two.
pub(crate) fn of_caller(
    walker: &mut Walker<'_>,
    between: &[TargetFrame],
    frame: &TargetFrame,
    above: &[Precondition],
) -> Vec<Precondition> {
    let mut inner = above.to_vec();
    for library in between.iter().filter(|frame| frame.role == FrameRole::Library) {
        inner = of_calls(walker, library, &inner).into_best(MOST_BETWEEN);
    }
    let found = of_calls(walker, frame, &inner).into_best(MOST_PER_FRAME);
    if !found.is_empty() || between.is_empty() {
        return found;
    }
    of_calls(walker, frame, above).into_best(MOST_PER_FRAME)
}

/// The application frames without a condition, in words of the program; empty if all have one.
pub(crate) fn gaps(target: &CrashTarget, places: &[usize], found: &[Vec<Precondition>]) -> String {
    let numbered = places.iter().zip(found).filter(|(_, found)| found.is_empty());
    let gaps: Vec<String> = numbered.map(|(place, _)| target.frames[*place].frame.to_string()).collect();
    if gaps.is_empty() { String::new() } else { format!("no condition for {}", gaps.join(", ")) }
}

/// Where nothing is known of the frame above but that it must be entered.
pub(crate) fn entered(world: &World, frame: &TargetFrame) -> Vec<Precondition> {
    let (FrameRole::Application(number), Binding::Bound { candidates, .. }) = (&frame.role, &frame.binding) else {
        return Vec::new();
    };
    let methods = candidates.iter().filter_map(|bound| world.methods.get(bound.method));
    let marks = Marks { cut: true, loose: true };
    methods.map(|method| Precondition { frame: *number, method, formula: Vec::new(), marks }).collect()
}

/// The conditions at the entry of a frame, for each of those of the frame above it.
fn of_calls(walker: &mut Walker<'_>, frame: &TargetFrame, above: &[Precondition]) -> Found {
    let mut found = Found::default();
    let number = if let FrameRole::Application(number) = frame.role { number } else { 0 };
    let Binding::Bound { candidates, .. } = &frame.binding else { return found };
    for inner in above {
        for bound in candidates {
            let Some(method) = walker.world.methods.get(bound.method) else { continue };
            for bci in &bound.calls {
                for goal in at_call(walker.world, &method, *bci, inner) {
                    found.of_each.push(entries(walker, number, &method, goal));
                }
            }
        }
    }
    found
}

fn entries(
    walker: &mut Walker<'_>,
    frame: u32,
    method: &Arc<Lowered>,
    (place, formula, marks): Goal,
) -> Vec<Precondition> {
    let known = |Entry { formula, marks }| Precondition { frame, method: method.clone(), formula, marks };
    walker.entries(method, place, formula, marks).into_iter().map(known).collect()
}

/// The inner condition in terms of the caller, just before the instruction that leads to it.
pub(crate) fn at_call(world: &World, method: &Arc<Lowered>, bci: u16, inner: &Precondition) -> Vec<Goal> {
    if inner.method.reference().is_static_initialiser() {
        return initialising(world, method, bci, inner).into_iter().collect();
    }
    let Some(place) = call_at(method, bci) else { return Vec::new() };
    let instr = &method.body.block(place.block).instrs[place.index];
    let Some((callee, operands)) = instr.op.call() else { return Vec::new() };
    if let Callee::Method { method: named, .. } = callee {
        let args = arguments(world, &State::identity(0), &method.body, callee, operands);
        if may_run(*named, inner.method.reference()) {
            let passed = Paths::start(&inner.method.body, State::identity(0), &args);
            return vec![(place, passed.compose(world, &inner.formula), inner.marks)];
        }
        if let Some(formula) = reflected(world, *named, &args, inner) {
            return vec![(place, formula, Marks { loose: true, ..inner.marks })];
        }
    }
    let ways = run_into(world, method, place, inner);
    if ways.is_empty() { vec![(place, forgotten(world, inner), Marks { cut: true, loose: true })] } else { ways }
}

/// The ways in which the call enters the inner method.
fn run_into(world: &World, method: &Arc<Lowered>, place: Place, inner: &Precondition) -> Vec<Goal> {
    let paths = Paths::into(world, method, (place.block, place.index), inner.method.reference(), INTO);
    let marks = inner.marks.with(Marks { cut: paths.is_cut, loose: false });
    let goals = paths.ways.into_iter().map(|way| {
        let mut formula = way.state.compose(world, &inner.formula);
        formula.extend(&way.state.path);
        (place, formula, marks.with(way.state.marks))
    });
    goals.collect()
}

/// The class is initialised here for the first time: its static fields are as they begin.
fn initialising(world: &World, method: &Lowered, bci: u16, inner: &Precondition) -> Option<Goal> {
    let first = method.body.instrs_at(bci).first()?;
    let mut state = State::identity(0);
    let class = world.program().class(inner.method.reference().class)?;
    for field in class.fields.iter().filter(|field| field.access.is_static()) {
        state.clear_static(world, field.reference());
    }
    Some((place(&method.body, first.id)?, state.compose(world, &inner.formula), inner.marks))
}

/// A call by reflection: receiver and arguments are handed over, which method it is cannot be said.
fn reflected(world: &World, named: MethodRef, args: &[Term], inner: &Precondition) -> Option<Vec<Term>> {
    let (receiver, passed) = match (named.class.as_internal(), named.name.as_str(), args) {
        ("java/lang/reflect/Method", "invoke", [_, receiver, passed]) => (Some(*receiver), *passed),
        ("java/lang/reflect/Constructor", "newInstance", [_, passed]) => (None, *passed),
        _ => return None,
    };
    let state = State::identity(0);
    let object = Type::Class(ClassName::object());
    let body = &inner.method.body;
    let (mut put, mut facts): (FxHashMap<Term, Term>, Vec<Term>) = (FxHashMap::default(), Vec::new());
    for (slot, declared) in body.parameters() {
        let (kind, value) = match declared {
            Parameter::This => {
                let new = || world.allocate(Type::Class(body.method.class));
                (Kind::Reference, receiver.unwrap_or_else(new))
            }
            Parameter::Declared(index, ty) => {
                let element = state.element(world, passed, world.terms.i32(i32::from(index)), object);
                facts.push(world.terms.ult(world.terms.i32(i32::from(index)), state.length(world, passed)));
                let kind = ir::kind_of_type(ty);
                // A number comes in a box, which is looked into where somebody asks.
                (kind, if ty.is_reference() { element } else { world.unknown(kind) })
            }
        };
        put.insert(parameter(world, body, slot, kind), value);
    }
    facts.extend(world.terms.substitute_all(&inner.formula, &put));
    Some(facts)
}

/// The inner condition where nothing is known of what is passed.
fn forgotten(world: &World, inner: &Precondition) -> Vec<Term> {
    let body = &inner.method.body;
    let unknown = |(slot, declared): (u16, Parameter)| {
        let kind = match declared {
            Parameter::This => Kind::Reference,
            Parameter::Declared(_, ty) => ir::kind_of_type(ty),
        };
        (parameter(world, body, slot, kind), world.unknown(kind))
    };
    let put = body.parameters().into_iter().map(unknown).collect();
    world.terms.substitute_all(&inner.formula, &put)
}

/// Whether a call of the one may run the other.
fn may_run(named: MethodRef, run: MethodRef) -> bool {
    named.name == run.name && named.signature().params.len() == run.signature().params.len()
}

/// The operation that is the call at this bytecode.
pub(crate) fn call_at(method: &Lowered, bci: u16) -> Option<Place> {
    let is_call = |instr: &&ir::Instr| instr.op.call().is_some();
    let instr = method.body.instrs_at(bci).iter().find(is_call)?;
    place(&method.body, instr.id)
}

pub(crate) fn place(body: &Body, id: InstrId) -> Option<Place> {
    let (block, index) = body.place_of(id)?;
    Some(Place { block, index })
}

/// The leaf of a parameter slot of the method at depth 0.
pub(crate) fn parameter(world: &World, body: &Body, slot: u16, kind: Kind) -> Term {
    State::identity(0).var(world, body, Var::Local(slot), kind)
}
