//! Formulas over Java values, and whether they can be true: typed terms, a simplifier, an evaluator, and queries that are
//! answered without a process where possible and by solvers otherwise.
//!
//! # The contract
//!
//! **Terms.** [`Terms`] holds hash-consed terms; a [`Term`] is a number that is copied freely and means something to its
//! store only. Constructors (`terms.add(a, b)`, `terms.select(array, index)`, ...) simplify at the root of what they
//! build; [`Terms::raw`] does not, and [`Terms::simplify`] makes up for it. All operations are total; [`Node`] says what
//! they mean where SMT-LIB or Java leaves a choice. Whoever translates Java masks shifts and guards divisions, indices and
//! casts; the rest (`d2i`, `%` on floats, `indexOf`, `parseInt`, ...) is Java's own meaning, compared with a JVM in the
//! tests. There is one NaN: payloads are lost.
//!
//! **Memory.** A region (a field of all objects, the elements of all arrays of a kind, lengths) is an array term from a
//! reference, or from a reference and an index; writing is [`Terms::store`], composing with another memory is
//! [`Terms::substitute`] of the entry region's variable. Ranges that are copied are for the reader of a region to turn into
//! choices. References are null, objects that came in (variables; never named by a constant) and objects that
//! [`Terms::allocate`] made, each unlike all others and of a known class. [`Terms::class_in`] is `instanceof`: false for
//! null. Classes are numbers of the caller's; numbered in the order of the hierarchy, the subtypes of a type are a range,
//! which solvers like best.
//!
//! **Queries.** [`Queries::check`] takes the conjuncts of a path condition as a list, in any order and as long as it
//! is, and answers [`Answer::Sat`] with a model in which each of them was evaluated to be true, [`Answer::Unsat`] with
//! conjuncts that cannot hold together, or [`Answer::Unknown`] with the reason. On the way: constants; recent models
//! ([`Queries::suggest`] adds one, for example of a real run); independent parts; cores of earlier queries; equalities,
//! intervals, classes and case splits of our own; short strings as bit-vectors; an incremental process in which each conjunct
//! is an assumption, so that queries with a common prefix share what was learnt; and processes of their own for what that
//! cannot answer, several solvers at once if there are. So a caller that forks passes the whole list and needs no push and
//! pop.
//!
//! **What is believed.** A solver's model is evaluated on our terms first; one that fails is a fault
//! ([`Statistics::faults`]) and the answer unknown. "Unsatisfiable" is passed on where the solver was asked exactly the
//! query or less than it: the few operations that solvers treat otherwise (digits beyond ASCII) make it unknown. A solver that
//! hangs is killed, one that dies is started anew, none is left behind: see [`Limits`]. With [`Limits::resources`] only
//! steps count, and the same queries in the same order get the same answers.
//!
//! **Threads.** [`Terms`] and [`Queries`] are `Send`, not `Sync`: each thread has its own of both, so that numbers of
//! terms, and with them the order of conjuncts, never depend on who was faster. What engines tell each other goes as
//! [`Exported`], which is `Send` and `Sync`: [`Terms::export`] here, [`Terms::import`] there; variables are the same by name.
//!
//! This crate knows nothing of class files, the JVM or crashes.

mod answer;
mod bounded;
mod build;
mod classes;
mod evaluate;
mod inner;
mod model;
mod node;
mod print;
mod query;
mod sexp;
pub mod solver;
mod sort;
mod terms;
mod value;
mod walk;

pub use answer::{Answer, Why};
pub use classes::{ClassId, ClassSet};
pub use evaluate::Evaluation;
pub use model::Model;
pub use node::{
    BitBinary, BitCompare, BitUnary, ClassSetId, FloatBinary, FloatCompare, FloatUnary, Index, Node, Term, Var,
};
pub use query::{Queries, Settings, Statistics};
pub use solver::{Dialect, Limits, SolverProgram};
pub use sort::{ArraySort, FloatSort, Scalar, Sort};
pub use terms::Terms;
pub use value::{ArrayValue, Key, Reference, Row, Value};
pub use walk::Exported;
