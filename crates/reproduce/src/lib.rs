//! The whole job: from a crash and a program to a confirmed test, or to the reason why there is none.
//!
//! Engines propose, workers run, and when a candidate shows more of the crash than the best test so far it is minimised,
//! printed, compiled and run in fresh JVMs; only what these show counts. The best confirmed test is kept at every moment,
//! so that a run can be stopped at any time.

mod assertion;
mod attempt;
mod bare_null;
mod comment;
mod confirming;
mod event;
mod fragment;
mod grade_test;
mod judge;
mod minimise;
mod natural;
mod output;
mod overflow;
mod plain;
mod reason;
mod run;
mod search;
mod settings;
pub mod shell;
mod so_far;
#[cfg(test)]
mod testing;
mod tidy;
mod verdict;
mod write;

pub use confirming::{Confirming, start_confirmer};
pub use event::Event;
pub use grade_test::{TestVerdict, grade_test};
pub use judge::{Escaped, JudgedRun, Judgement};
pub use run::{Crash, ReproduceError, Tools, explain, reproduce};
pub use settings::{Budget, Build, Clock, Settings};
pub use so_far::SoFar;
pub use verdict::{Effort, Fixed, Flag, FrameCount, Reason, RunCommand, Unreachable, Verdict, WrittenTest};
pub use write::test_annotation;
