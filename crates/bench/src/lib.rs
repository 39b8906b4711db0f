//! Packs of crashes: run the tool over them, keep one JSON line a run, put our numbers beside the published ones,
//! compare two sets of runs.
//!
//! This crate does not know how a crash is reproduced: whoever calls [`Session::run`] brings that as a function.

pub mod compare;
pub mod pack;
pub mod published;
pub mod record;
pub mod session;
pub mod statements;
pub mod table;
pub mod totals;

pub use pack::{Crash, Pack, PackError};
pub use record::Record;
pub use session::{Ended, Session, SessionError, Task};
pub use totals::Totals;
