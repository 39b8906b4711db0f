//! How near a candidate came to the crash, as a value that is compared part by part: reaching the lines of the frames, from the
//! outermost inwards, goes before throwing at the crash line, throwing before the message, and all before brevity. A candidate
//! that gets to the crash line past an outer frame has missed the way, and is worth less than one that is on it. Seen the other
//! way, from the crash outwards ([`Fitness::cmp_outwards`]), it has something that the others lack; populations keep both.
//!
//! This is section 3.2 of the EvoCrash paper with its weights 3, 2, 1 (any sum in which an earlier part outweighs all later
//! ones) made lexicographic. Deviations, each behind a switch: all frames of the trace count on the way in, not only the
//! crash line; on the crash line the distance of the throw condition counts; then the message.

use crate::config::Extras;
use analysis::{Lowered, Methods};
use engine::{Assessment, FARTHEST_MESSAGE, Goal, Nearness};
use ir::{Callee, Dynamic};
use program::MethodRef;
use recipe::Observation;
use rustc_hash::FxHashSet;
use std::cmp::Ordering;
use std::time::Duration;

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Fitness {
    /// How far the root cause was from being thrown at its place; 0 if the exception has no cause. It goes before everything
    /// else, since what wraps an exception wraps any.
    pub root: f64,
    /// Frames of the goal that are still to be reached, from the outermost whose line was not executed inwards.
    pub frames_to_go: u32,
    /// Approach level and branch distance to the line of the next frame.
    pub line: f64,
    /// Frames whose line was not executed, wherever they are.
    pub missing: u32,
    /// The same seen from the innermost frame that was reached, by any path.
    pub reach: Reach,
    /// How far the condition at the entry of the next frame was from holding, where another engine has derived it.
    pub precondition: f64,
    /// How far the throw condition was from true.
    pub condition: f64,
    /// 0 if the exception was thrown from the crash line.
    pub exception: f64,
    /// Outcomes of branches in the methods of the trace and their lambdas that no execution has had: of candidates that are equally near, one
    /// that does more there is likelier to be on the way.
    pub unexplored: u32,
    /// Application frames of the goal that do not match, from the top.
    pub unmatched: u32,
    /// EvoCrash's distance of the whole trace.
    pub trace: f64,
    /// Causes and messages: 0 if all are right; the whole part says what is wrong, the rest how far it is from right.
    pub message: f64,
    /// What makes a test that shows the crash less natural, see [`engine::naturalness`].
    pub demerits: u32,
    /// How long it takes to show the crash, in steps of four times as long: what is made of it takes as long. 0 where the clock
    /// has no say.
    pub slowness: u8,
    /// Statements of the candidate.
    pub size: u32,
}

/// How near the execution came to the innermost frame, by any path.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Reach {
    pub root: f64,
    pub frames_to_go: u32,
    pub line: f64,
}

impl Fitness {
    pub(crate) const WORST: Fitness = Fitness {
        root: f64::INFINITY,
        frames_to_go: u32::MAX,
        line: f64::INFINITY,
        missing: u32::MAX,
        reach: Reach { root: f64::INFINITY, frames_to_go: u32::MAX, line: f64::INFINITY },
        precondition: f64::INFINITY,
        condition: f64::INFINITY,
        exception: f64::INFINITY,
        unexplored: u32::MAX,
        unmatched: u32::MAX,
        trace: f64::INFINITY,
        message: f64::INFINITY,
        demerits: u32::MAX,
        slowness: 0,
        size: u32::MAX,
    };

    /// The exception was thrown from the crash line with these many frames of the goal right.
    pub(crate) fn is_crash(&self) -> bool {
        self.exception == 0.0
    }

    /// Better in anything but speed and brevity.
    pub(crate) fn is_nearer_than(&self, other: &Fitness) -> bool {
        let of_any_size = |fitness: &Fitness| Fitness { slowness: 0, size: 0, ..fitness.clone() };
        of_any_size(self) < of_any_size(other)
    }

    /// All there is to gain but speed and brevity.
    pub(crate) fn is_perfect(&self) -> bool {
        self.is_crash() && self.unmatched == 0 && self.message == 0.0 && self.demerits == 0
    }
}

impl Eq for Fitness {}

impl PartialOrd for Fitness {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Fitness {
    fn cmp(&self, other: &Self) -> Ordering {
        // A crash that matches was reached, whatever the line probes say: some lines have no probe (a `finally` copy, a
        // class without line table), and a frame's line may be hit only in its callee's unwinding.
        let differs = |f: &Fitness| f.unmatched_if_crash() > 0;
        self.root
            .total_cmp(&other.root)
            .then(differs(self).cmp(&differs(other)))
            .then(self.frames_to_go.cmp(&other.frames_to_go))
            .then(self.line.total_cmp(&other.line))
            .then(self.missing.cmp(&other.missing))
            .then(self.unmatched_if_crash().cmp(&other.unmatched_if_crash()))
            .then(self.precondition.total_cmp(&other.precondition))
            .then(self.condition.total_cmp(&other.condition))
            .then(self.exception.total_cmp(&other.exception))
            .then(self.unexplored.cmp(&other.unexplored))
            .then(self.unmatched.cmp(&other.unmatched))
            .then(self.trace.total_cmp(&other.trace))
            .then(self.message.total_cmp(&other.message))
            .then(self.demerits.cmp(&other.demerits))
            .then(self.slowness.cmp(&other.slowness))
            .then(self.size.cmp(&other.size))
    }
}

impl Fitness {
    /// By what is right at the crash first, and then on the way to it.
    pub(crate) fn cmp_outwards(&self, other: &Fitness) -> Ordering {
        self.reach
            .root
            .total_cmp(&other.reach.root)
            .then((!self.is_crash()).cmp(&!other.is_crash()))
            .then(self.unmatched_if_crash().cmp(&other.unmatched_if_crash()))
            .then(self.reach.frames_to_go.cmp(&other.reach.frames_to_go))
            .then(self.reach.line.total_cmp(&other.reach.line))
            .then(self.condition.total_cmp(&other.condition))
            .then_with(|| self.cmp(other))
    }

    /// Of a candidate of so many statements; what is switched off does not count.
    pub(crate) fn of(
        assessment: &Assessment,
        seen: &Observation,
        size: u32,
        (goal, beside): (&Goal, &FxHashSet<MethodRef>),
        extras: Extras,
    ) -> Fitness {
        if assessment.is_astray() {
            return Fitness::astray(assessment.entry, goal, size);
        }
        let line = |near: Nearness| if extras.block_distance { near.line.sum() } else { near.line.decisions };
        let root = assessment.root.filter(|_| extras.root_cause);
        let comparison = assessment.comparison.as_ref();
        let is_crash = comparison.is_some_and(|comparison| comparison.exact.matched > 0);
        let (inwards, outwards) = (assessment.inwards, assessment.outwards);
        Fitness {
            root: root.map_or(0.0, |root| root.inwards),
            frames_to_go: inwards.frames_to_go,
            line: line(inwards),
            missing: inwards.missing,
            reach: Reach {
                root: root.map_or(0.0, |root| root.outwards),
                frames_to_go: outwards.frames_to_go,
                line: line(outwards),
            },
            precondition: if extras.preconditions { assessment.precondition } else { 0.0 },
            condition: if extras.throw_condition { assessment.condition } else { 1.0 },
            exception: match (is_crash, assessment.is_thrown_elsewhere) {
                (true, _) => 0.0,
                (false, true) => 0.5,
                (false, false) => 1.0,
            },
            unexplored: if is_crash || !extras.coverage { 0 } else { unexplored(goal, beside, seen) },
            unmatched: assessment.unmatched,
            trace: comparison.map_or(f64::INFINITY, |comparison| comparison.frame_distance),
            demerits: assessment.demerits,
            message: if extras.message { assessment.message } else { 0.0 },
            slowness: 0,
            size,
        }
    }

    /// The entry frame was not entered, whatever else happened: its call is the last statement.
    fn astray(entry: u32, goal: &Goal, size: u32) -> Fitness {
        Fitness {
            root: goal.root.as_ref().map_or(0.0, |root| root.frames.len() as f64 + 1.0),
            frames_to_go: entry,
            missing: entry,
            unmatched: entry,
            message: FARTHEST_MESSAGE,
            size,
            ..Fitness::WORST
        }
    }

    fn unmatched_if_crash(&self) -> u32 {
        if self.is_crash() { self.unmatched } else { u32::MAX }
    }
}

/// Counted down from a number that no method reaches, so that less is better as in all other parts.
fn unexplored(goal: &Goal, beside: &FxHashSet<MethodRef>, observation: &Observation) -> u32 {
    const MANY: u32 = 1 << 20;
    let of_trace = observation.branches.iter().filter(|branch| {
        let method = branch.at.method;
        goal.is_in_trace(method) || beside.contains(&method)
    });
    let had: usize = of_trace.map(|branch| branch.to.iter().filter(|distance| **distance == 0.0).count()).sum();
    MANY - had as u32
}

/// Lambdas of the methods of the trace, and what these call in their own class: a stream hands on only what its filters let
/// through, and no frame of the trace shows them.
pub(crate) fn beside(goal: &Goal, methods: &Methods) -> FxHashSet<MethodRef> {
    let frames = goal.frames.iter().flat_map(|frame| frame.methods.iter().map(|bound| bound.method));
    let mut found: FxHashSet<MethodRef> = FxHashSet::default();
    for method in frames {
        let Some(unit) = methods.get(method) else { continue };
        for lambda in unit.calls().filter_map(|(callee, _)| lambda_of(&unit, callee)) {
            let Some(body) = methods.get(lambda).filter(|_| lambda.class == method.class) else { continue };
            let called = body.calls().filter_map(|(callee, _)| match callee {
                Callee::Method { method: called, .. } if called.class == lambda.class => Some(*called),
                _ => None,
            });
            found.extend(called);
            found.insert(lambda);
        }
    }
    found
}

fn lambda_of(unit: &Lowered, callee: &Callee) -> Option<MethodRef> {
    match unit.dynamic(callee)? {
        Dynamic::Lambda(lambda) => lambda.target().map(|(_, target)| target),
        _ => None,
    }
}

/// Of what shows the crash, the faster is as good and leaves time for more.
pub(crate) fn slowness(time: Duration) -> u8 {
    const FAST: Duration = Duration::from_micros(250);
    (0..8).take_while(|step| time >= FAST * 4u32.pow(*step)).count() as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_faster_of_two_crashes_wins_before_the_shorter() {
        let crash = |micros: u64, size: u32| Fitness {
            exception: 0.0,
            slowness: slowness(Duration::from_micros(micros)),
            size,
            ..Fitness::WORST
        };
        assert!(crash(100, 9) < crash(300, 1) && crash(300, 9) < crash(1100, 1));
        // Little more is noise.
        assert!(crash(240, 1) < crash(20, 2) && crash(900, 1) < crash(300, 2));
        assert!(!crash(100, 1).is_nearer_than(&crash(5000, 9)));
    }
}
