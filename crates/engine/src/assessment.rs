//! What a candidate did, measured against the goal: what every engine learns from, and what the orchestrator decides by.

use crate::goal::LineDistance;
use crash_report::compare::{Comparison, Grade};
use program::CodePoint;
use std::cmp::Ordering;

/// A candidate seen from the crash.
#[derive(Clone, Debug, PartialEq)]
pub struct Assessment {
    /// Number of the frame that the candidate enters; 1 is the top.
    pub entry: u32,
    /// With the crash, where the exception is the same.
    pub comparison: Option<Comparison>,
    /// Application frames, from the top to the entry, that do not match.
    pub unmatched: u32,
    /// It ended before its last statement, which calls the entry frame, where that is what counts.
    pub is_cut_short: bool,
    /// From the frame that it enters inwards: how far it got on the way to the crash line.
    pub inwards: Nearness,
    /// From the innermost frame that it reached by any path.
    pub outwards: Nearness,
    /// How far the condition at the entry of the next frame was from holding, from 0 to 1 and one more for each frame that was not entered; the number of the
    /// entry frame where nothing was measured.
    pub precondition: f64,
    /// How far the throw condition was from true at the crash line; 1 where that was not reached.
    pub condition: f64,
    /// How far the root cause was from being thrown; none if the exception has no cause.
    pub root: Option<RootDistance>,
    /// The exception was thrown where the crash line had been executed, though not from it.
    pub is_thrown_elsewhere: bool,
    /// Causes and messages: 0 if all are right; the whole part says what is wrong, the rest how far it is from right.
    pub message: f64,
    /// How far from natural it is, as a test that shows this much.
    pub demerits: u32,
    /// The branch at which it turned away from the next frame on the way, or where the exception was not thrown.
    pub blocked_at: Option<CodePoint>,
}

/// How far an execution stayed from the crash line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearness {
    /// Frames whose lines are still to be reached.
    pub frames_to_go: u32,
    /// Of these, the ones that were not reached by any path.
    pub missing: u32,
    /// To the line of the next frame.
    pub line: LineDistance,
}

/// Frames to the place of the root cause, and how far it was from being thrown there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RootDistance {
    /// From the frame that the candidate enters.
    pub inwards: f64,
    /// By any path.
    pub outwards: f64,
}

/// More than the messages of any chain can be away.
pub const FARTHEST_MESSAGE: f64 = 5.0;

impl Assessment {
    /// The exception was thrown from the crash line, by the call that was to make it happen.
    pub fn is_crash(&self) -> bool {
        self.comparison.as_ref().is_some_and(|comparison| comparison.exact.matched > 0) && !self.is_astray()
    }

    /// Its last statement was not reached, and what it showed before that is not the whole crash.
    pub fn is_astray(&self) -> bool {
        self.is_cut_short && self.unmatched > 0
    }

    pub fn grade(&self) -> Grade {
        let shown = self.comparison.as_ref().filter(|_| !self.is_astray());
        shown.map_or(Grade::None, |comparison| comparison.exact.grade)
    }

    /// Frames of the crash that are right.
    pub fn matched(&self) -> u32 {
        if self.is_crash() { self.entry.saturating_sub(self.unmatched) } else { 0 }
    }

    /// Who came nearer to the crash: the way in first, then what was thrown.
    pub fn cmp_nearness(&self, other: &Assessment) -> Ordering {
        let root = |one: &Assessment| one.root.map_or(0.0, |root| root.inwards);
        let exception = |one: &Assessment| match (one.is_crash(), one.is_thrown_elsewhere) {
            (true, _) => 0,
            (false, elsewhere) => 2 - u8::from(elsewhere),
        };
        let (way, others) = (self.inwards, other.inwards);
        self.is_astray()
            .cmp(&other.is_astray())
            .then(root(self).total_cmp(&root(other)))
            .then(way.frames_to_go.cmp(&others.frames_to_go))
            .then(way.line.sum().total_cmp(&others.line.sum()))
            .then(way.missing.cmp(&others.missing))
            .then(self.condition.total_cmp(&other.condition))
            .then(exception(self).cmp(&exception(other)))
    }
}
