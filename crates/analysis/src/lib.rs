//! What follows from the code of one method: control flow, dominance, control dependence, loops, definitions and uses, where
//! values come from, and how far a branch is from a place. Input is a verified [`ir::Body`]; exceptional edges count as edges,
//! but an exception that leaves the method does not. Nothing here looks across calls.
//!
//! Each analysis is a table computed once from what it needs: [`Cfg`] from a body, [`Dominators`] and [`PostDominators`] from a
//! graph, [`ControlDependence`] and [`Loops`] from those, [`DefUse`] from body and graph. [`Values`], [`Approach`] and
//! [`may_run_between`] answer questions with them.

mod approach;
mod between;
mod bits;
mod calls;
mod cfg;
mod control_dependence;
mod def_use;
mod dominators;
mod effects;
mod loops;
mod lowered;
mod merges;
mod methods;
mod natives;
mod post_dominators;
mod rapid;
mod tree;
mod values;

pub use approach::{Approach, Step};
pub use between::may_run_between;
pub use calls::{Limits, Targets};
pub use cfg::{Cfg, Edge, Via};
pub use control_dependence::{ControlDependence, Dependence};
pub use def_use::{DefUse, Definition};
pub use dominators::Dominators;
pub use effects::{Effects, Touched};
pub use loops::{Loop, Loops};
pub use lowered::{Assignment, Lowered};
pub use merges::{Conditional, Merges};
pub use methods::Methods;
pub use post_dominators::PostDominators;
pub use rapid::RapidTypes;
pub use values::{Value, Values};
