//! What happens during a run, for progress displays and logs.

use crash_report::compare::{Grade, Graded};
use engine::EngineName;
use program::{ClassName, MethodRef};
use std::time::Duration;

#[derive(Clone, Debug)]
pub enum Event {
    /// The target was derived: so many application frames, so many of them bound, and classes that no jar has, each with a method of a
    /// frame that refers to it.
    Target { frames: usize, bound: usize, missing: Vec<(ClassName, MethodRef)> },
    /// A generation was evaluated.
    Round { candidates: u64, elapsed: Duration, best: String },
    /// A candidate shows more of the crash; it is being minimised and confirmed.
    Claim { grade: Grade },
    /// An engine failed and is not asked any more.
    LeftOut { engine: EngineName, why: String },
    /// A fresh JVM confirmed this much of a claim.
    Confirmed { grade: Graded, elapsed: Duration },
    /// A fresh JVM did not show what the worker had shown.
    Refuted { claimed: Grade, confirmed: Grade, why: String, source: Option<String> },
}
