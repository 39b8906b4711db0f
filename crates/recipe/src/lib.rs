//! Recipes: typed block trees that say how to make a crash happen. Every engine produces them, the JVM host runs them, the
//! minimiser shrinks them, the JUnit writer prints them.
//!
//! - [`tree`]: the recipe itself, well typed by construction.
//! - [`run`]: the seam to whatever executes recipes: [`Runner`], [`ProbePlan`], [`Observation`].
//!
//! This crate does not know crash reports or targets, and it starts no JVM.

pub mod run;
pub mod tree;

pub use run::{
    BranchDistance, Cost, End, Limit, Limits, LineHit, Observation, ProbePlan, Runner, RunnerError, Stack, StackFrame,
    Thrown,
};
pub use tree::{
    Access, Action, Annotation, AnnotationValue, Arg, Block, Callback, CallbackForm, CallbackMethod, ClassDecl,
    Collection, Content, Def, FieldDecl, JavaString, Literal, MethodDecl, OnThrow, Recipe, Stmt, StreamKind, Text,
    TextPiece, VarId,
};
