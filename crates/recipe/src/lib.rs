//! Recipes: typed block trees that say how to make a crash happen. Every engine produces them, the JVM host runs them, the
//! minimiser shrinks them, the JUnit writer prints them.
//!
//! - [`tree`] and [`literal`]: the recipe itself. [`walk`], [`classes`]: going over it.
//! - [`build`]: making one that is well typed; [`check`]: is this one? [`types`] has the rules both go by.
//!   [`signature`]: the same for generic signatures.
//! - [`edit`], [`slice`], [`splice`], [`canonical`], [`size`]: what engines and minimisers do with recipes.
//! - [`text`]: a form that reads well; [`binary`]: a compact one. [`bytes`] is what the latter is made of.
//! - [`run`]: the seam to whatever executes recipes: [`Runner`], [`ProbePlan`], [`Observation`].
//! - `testing` (with the feature of that name): recipes at random, for property tests.
//!
//! This crate does not know crash reports or targets, and it starts no JVM.

pub mod binary;
pub mod build;
pub mod bytes;
pub mod canonical;
pub mod check;
pub mod classes;
pub mod edit;
pub mod java;
pub mod literal;
pub mod run;
pub mod signature;
pub mod size;
pub mod slice;
pub mod splice;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod text;
pub mod tree;
pub mod types;
pub mod walk;
mod words;

pub use build::RecipeBuilder;
pub use canonical::RecipeHash;
pub use check::{Problem, TypeError, check};
pub use edit::EditError;
pub use literal::{JavaString, Literal, Text, TextPiece};
pub use run::{
    Aim, BranchDistance, BranchOutcome, Cost, End, Limit, Limits, LineHit, Observation, PlaceToShow, ProbePlan,
    Receiver, Runner, RunnerError, Show, ShowLimits, Shown, ShownContent, ShownObject, ShownValue, Snapshot, Stack,
    StackFrame, Thrown, Went,
};
pub use size::Size;
pub use slice::Keep;
pub use splice::Renaming;
pub use text::{ParseError, parse, parse_stmt};
pub use tree::{
    Access, Action, Annotation, AnnotationValue, Arg, Block, Callback, CallbackForm, CallbackMethod, Carried,
    ClassDecl, ClassKind, Collection, Content, Def, FieldDecl, FileChange, MethodDecl, OnThrow, Recipe, Stmt,
    StreamKind, VarId,
};
pub use types::Subtyping;
pub use walk::{BlockPath, Body, BodyMut, Place, ResultMut, Root};
