//! Which places a run has to come through, and in which order (BugRedux, section II-C).

use analysis::{Lowered, Methods};
use backward::ThrowGoal;
use engine::Waypoint;
use ir::{BlockId, Body, Terminator};
use program::CodePoint;
use std::sync::Arc;
use target::{Binding, BoundMethod, CrashTarget, FrameRole, TargetFrame};

/// What goals are taken from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The failure alone.
    Point,
    /// The calls of the stack trace, outermost first, and the failure.
    Stack,
    /// Calls that were recorded, and the failure.
    Calls,
    /// Everything that was recorded, where branches led included, and the failure.
    Trace,
}

impl Kind {
    pub const ALL: [(&'static str, Kind); 4] =
        [("point", Kind::Point), ("stack", Kind::Stack), ("calls", Kind::Calls), ("trace", Kind::Trace)];
}

/// A place in a method: before this operation of the block; before its terminator where there are no more.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) method: Arc<Lowered>,
    pub(crate) block: BlockId,
    pub(crate) index: usize,
}

impl Place {
    pub(crate) fn is_at(&self, spot: symbolic::Spot<'_>) -> bool {
        (self.block, self.index) == (spot.block, spot.index) && self.method.reference() == spot.method.reference()
    }
}

/// One of several places that are as good.
#[derive(Clone, Debug)]
pub(crate) struct Goal {
    pub(crate) places: Vec<Place>,
    /// It is to be reached in the activation of the method that the call of the goal before has begun.
    pub(crate) is_local: bool,
    /// Events before it were lost: other goals may be come to on the way.
    pub(crate) is_after_gap: bool,
}

/// The goals of a run that begins with a frame of the trace.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// Number of the application frame.
    pub(crate) frame: u32,
    pub(crate) entry: Arc<Lowered>,
    /// Before the failure, in their order.
    pub(crate) goals: Vec<Goal>,
    /// Goals were recorded: a run that comes to one out of turn was another run.
    pub(crate) is_recorded: bool,
}

/// The plans for all application frames that a run can begin with, the outermost first.
pub(crate) fn plans(
    kind: Kind,
    target: &CrashTarget,
    most: usize,
    waypoints: &[Waypoint],
    methods: &Methods,
) -> Vec<Plan> {
    let recorded = match kind {
        Kind::Calls | Kind::Trace => recorded_goals(kind, waypoints, methods),
        Kind::Point | Kind::Stack => Vec::new(),
    };
    let mut plans = Vec::new();
    let mut calls: Vec<Goal> = Vec::new();
    // Where the activation of the frame further in begins among what was recorded.
    let mut inner = recorded.len();
    let is_top = |frame: &TargetFrame| frame.role == FrameRole::Application(1);
    for frame in target.frames.iter().skip_while(|frame| !is_top(frame)) {
        // How control gets through glue is not followed.
        let Binding::Bound { candidates, .. } = &frame.binding else { break };
        let is_top = calls.is_empty() && is_top(frame);
        if !is_top {
            let places: Vec<Place> = candidates.iter().flat_map(|bound| call_places(bound, methods)).collect();
            if places.is_empty() {
                break;
            }
            calls.insert(0, Goal { places, is_local: true, is_after_gap: false });
        }
        let FrameRole::Application(number) = frame.role else { continue };
        if number as usize > most {
            break;
        }
        let entries: Vec<_> = candidates.iter().filter_map(|bound| methods.get(bound.method)).collect();
        let since = entries.iter().filter_map(|entry| since_entry(entry, &recorded[..inner])).max();
        inner = since.unwrap_or(inner);
        // Of an activation whose beginning is not known, all that is known of those further in, else all there is.
        let from = if inner < recorded.len() { inner } else { 0 };
        for entry in entries {
            let (goals, is_recorded) = match kind {
                Kind::Point => (Vec::new(), false),
                Kind::Calls | Kind::Trace if !recorded.is_empty() => (beginning_at(&recorded, from, since), true),
                Kind::Stack | Kind::Calls | Kind::Trace => (calls.clone(), false),
            };
            plans.push(Plan { frame: number, entry, goals, is_recorded });
        }
    }
    plans.sort_by_key(|plan| std::cmp::Reverse(plan.frame));
    plans
}

/// The goals from there on; what came before the first is known if the entry is.
fn beginning_at(recorded: &[Goal], from: usize, since: Option<usize>) -> Vec<Goal> {
    let mut goals = recorded[from..].to_vec();
    if let Some(first) = goals.first_mut() {
        first.is_after_gap |= since.is_none();
    }
    goals
}

/// Where in what was recorded the method was entered for the last time: goals from there on belong to that activation.
fn since_entry(entry: &Lowered, recorded: &[Goal]) -> Option<usize> {
    let enters = |goal: &Goal| {
        let place = &goal.places[0];
        (place.block, place.index) == (Body::ENTRY, 0) && place.method.reference() == entry.reference()
    };
    recorded.iter().rposition(enters).map(|at| at + 1)
}

/// The goals that were recorded, in their order.
fn recorded_goals(kind: Kind, waypoints: &[Waypoint], methods: &Methods) -> Vec<Goal> {
    let mut goals: Vec<Goal> = Vec::new();
    let mut is_after_gap = false;
    for point in waypoints {
        is_after_gap |= *point == Waypoint::Gap;
        if kind != Kind::Trace && !is_call(point, methods) {
            continue;
        }
        if let Some(place) = recorded_place(point, methods) {
            goals.push(Goal { places: vec![place], is_local: false, is_after_gap });
            is_after_gap = false;
        }
    }
    goals
}

fn is_call(point: &Waypoint, methods: &Methods) -> bool {
    let calls = |at: &CodePoint| {
        let method = methods.get(at.method);
        method.is_some_and(|method| method.body.instrs_at(at.at.bci).iter().any(|instr| instr.op.call().is_some()))
    };
    match point {
        Waypoint::Entry(_) => true,
        Waypoint::At(at) => calls(at),
        // Results are not recorded at every call: they say what it gave, and no more.
        Waypoint::Branch { .. } | Waypoint::Returned { .. } | Waypoint::Parameter { .. } | Waypoint::Gap => false,
    }
}

/// Where the point is; none if it is not a place of the program.
fn recorded_place(point: &Waypoint, methods: &Methods) -> Option<Place> {
    match point {
        Waypoint::Entry(method) => Some(Place { method: methods.get(*method)?, block: Body::ENTRY, index: 0 }),
        Waypoint::At(at) => {
            let method = methods.get(at.method)?;
            call_place(&method, at.at.bci).or_else(|| first_place(&method, at.at.bci))
        }
        Waypoint::Branch { at, taken } => destination(&methods.get(at.method)?, at.at.bci, *taken),
        Waypoint::Returned { .. } | Waypoint::Parameter { .. } | Waypoint::Gap => None,
    }
}

/// Where the conditional jump led.
fn destination(method: &Arc<Lowered>, bci: u16, taken: bool) -> Option<Place> {
    let jump = method.body.block(method.body.block_of(bci)?);
    let Terminator::If { then, otherwise, .. } = jump.end else { return None };
    let block = if taken { then } else { otherwise };
    Some(Place { method: method.clone(), block, index: 0 })
}

fn call_places(bound: &BoundMethod, methods: &Methods) -> Vec<Place> {
    let Some(method) = methods.get(bound.method) else { return Vec::new() };
    bound.calls.iter().filter_map(|bci| call_place(&method, *bci)).collect()
}

fn call_place(method: &Arc<Lowered>, bci: u16) -> Option<Place> {
    let instr = method.body.instrs_at(bci).iter().find(|instr| instr.op.call().is_some())?;
    let (block, index) = method.body.place_of(instr.id)?;
    Some(Place { method: method.clone(), block, index })
}

/// Where the bytecode instruction begins.
fn first_place(method: &Arc<Lowered>, bci: u16) -> Option<Place> {
    match method.body.instrs_at(bci).first() {
        Some(instr) => {
            let (block, index) = method.body.place_of(instr.id)?;
            Some(Place { method: method.clone(), block, index })
        }
        None => {
            let block = method.body.block_of(bci)?;
            let index = method.body.block(block).instrs.iter().take_while(|instr| instr.id.bci < bci).count();
            Some(Place { method: method.clone(), block, index })
        }
    }
}

/// The last goal: the places at which the exception may be thrown.
pub(crate) fn failure(sites: &[ThrowGoal], is_local: bool) -> Goal {
    let place = |site: &ThrowGoal| Place { method: site.method.clone(), block: site.block, index: site.index };
    Goal { places: sites.iter().map(place).collect(), is_local, is_after_gap: false }
}
