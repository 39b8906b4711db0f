//! Any text -> the crashes in it; and how alike two crashes are.
//!
//! [`parse()`] and [`parse_reader`] find every stack trace in a text and give a [`CrashReport`]: cause trees and a list of
//! problems, each with its place. [`choose()`] says which exception is the one to reproduce. [`compare`](mod@compare)
//! grades one exception against another, with the help of what [`message`] knows of texts; [`mapping`] undoes obfuscation.
//!
//! This crate knows nothing of class files and jars: classes are strings in dotted binary form, and which of them
//! belong to the application is told by the caller.

mod choose;
pub mod compare;
pub mod mapping;
pub mod message;
pub mod names;
mod parse;
mod print;
mod report;

pub use choose::{Choice, NoTarget, choose};
pub use compare::{Comparing, Comparison, Grade, Graded, compare, compare_chain};
pub use parse::{parse, parse_reader};
pub use report::{CrashReport, Frame, Jar, Module, Place, Problem, ProblemKind, Throwable, Trace, TraceSource};
