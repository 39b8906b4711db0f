//! What follows from the code of methods. [`Methods`] is the store for a whole program, shared by all threads and filled on demand;
//! nobody else lowers bytecode or reads its meaning off instructions.
//!
//! Of one method, [`Lowered`] has the body and, each computed once when it is first asked for: [`Cfg`], [`Dominators`],
//! [`PostDominators`], [`ControlDependence`], [`DefUse`], [`Loops`] and [`Merges`] (merge points and conditional blocks). [`Values`],
//! [`Approach`], [`may_run_between`] and [`Sink`] answer questions with them. Input is a verified [`ir::Body`]; exceptional edges
//! count as edges (not for merge points), but an exception that leaves the method does not.
//!
//! Across methods: [`Methods::classes_of`] for the exact classes of an object, [`Targets`] of calls by the class hierarchy, [`RapidTypes`] by the classes that are made, and [`Effects`], what
//! a method may read and write with all that it calls. Their answers are marked where a limit cut them or code cannot be seen.

mod approach;
mod between;
mod bits;
mod calls;
mod cfg;
mod classes_of;
mod control_dependence;
mod def_use;
mod dominators;
mod effects;
mod hardness;
mod loops;
mod lowered;
mod merges;
mod methods;
mod natives;
mod post_dominators;
mod rapid;
mod receiver;
mod sinks;
mod tree;
mod values;

pub use approach::{Approach, Step};
pub use between::may_run_between;
pub use calls::{Limits, Targets};
pub use cfg::{Cfg, Edge, Via};
pub use classes_of::Assume;
pub use control_dependence::{ControlDependence, Dependence};
pub use def_use::{DefUse, Definition};
pub use dominators::Dominators;
pub use effects::{Effects, OwnEffects, Touched};
pub use hardness::{Hardness, hard_methods};
pub use loops::{Loop, Loops};
pub use lowered::{Assignment, Lowered};
pub use merges::{Conditional, Merges};
pub use methods::Methods;
pub use post_dominators::PostDominators;
pub use rapid::RapidTypes;
pub use sinks::Sink;
pub use values::{Value, Values};
