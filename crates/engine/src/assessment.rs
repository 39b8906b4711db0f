//! What a candidate did, measured against the goal: what every engine learns from, and what the orchestrator decides by.

use crash_report::compare::{Comparison, Grade};
use program::CodePoint;

/// A candidate seen from the crash.
#[derive(Clone, Debug, PartialEq)]
pub struct Assessment {
    /// With the crash, where the exception is the same.
    pub comparison: Option<Comparison>,
    /// From the frame that it enters inwards: how far it got on the way to the crash line.
    pub inwards: Nearness,
    /// From the innermost frame that it reached by any path.
    pub outwards: Nearness,
    /// How far the throw condition was from true at the crash line; 1 where that was not reached.
    pub condition: f64,
    /// How far the root cause was from being thrown, in frames: on the way, and by any path. None if the exception has no cause.
    pub root: Option<(f64, f64)>,
    /// The exception was thrown where the crash line had been executed, though not from it.
    pub is_thrown_elsewhere: bool,
    /// Of the exception and its causes: 0 if all are right.
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
    /// Approach level and normalised branch distance to the line of the next frame.
    pub decisions: f64,
    /// In straight-line code before that line, the share that was not executed.
    pub straight_line: f64,
}

impl Assessment {
    /// The exception was thrown from the crash line.
    pub fn is_crash(&self) -> bool {
        self.comparison.as_ref().is_some_and(|comparison| comparison.exact.matched > 0)
    }

    pub fn grade(&self) -> Grade {
        self.comparison.as_ref().map_or(Grade::None, |comparison| comparison.exact.grade)
    }
}
