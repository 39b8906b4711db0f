//! The backward engine (STAR): derives under which condition each frame of the trace crashes, and makes the calls that bring that condition
//! about.
//!
//! [`precondition`] goes from the throwing instruction outwards, frame by frame. [`compose`] turns a condition into a recipe: objects that
//! must be in some state are made by constructors and methods; the condition, walked backwards through these, becomes one about simpler
//! values (STAR's TestGen). Nothing is drawn at random: the seed changes nothing.

mod agenda;
mod causes;
mod compose;
mod derive;
mod emit;
mod goals;
mod journal;
mod lessons;
mod paper;
mod precondition;
mod run;
mod settings;
mod sharing;
mod solving;
mod summaries;
mod walk;
mod words;

pub use run::REGISTRATION;
pub use sharing::{BRIEF_PASSES, EntryCondition, PASSES, ThrowGoal, Toolbox};
pub use solving::lacks_solver;
