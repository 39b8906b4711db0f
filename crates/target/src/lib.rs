//! From a crash report and a program to a [`CrashTarget`]: which bytecode each frame means, under what condition the
//! throwing instruction throws that exception, and what the message says about the values.
//!
//! Everything here is read off class files; no JVM is started and nothing is run. What cannot be decided is kept open
//! (several candidates, an opaque condition) and said, never guessed.

mod bind;
mod branches;
mod derive;
mod enums;
mod escape;
mod inquiry;
pub mod message;
mod misfit;
mod model;
mod models;
mod print;
mod roles;
mod scope;
mod throws;

pub use escape::{Fate, Kept};
pub use message::{Located, Template, template_matches};
pub use misfit::{Artifact, Misfit, MisfitKind};
pub use model::{
    Binding, BoundMethod, BranchGuard, CauseTarget, Certainty, CrashTarget, FactValue, FrameRole, MessageFact,
    Precision, TargetFrame, ThrowKind, ThrowSite,
};

pub use analysis::Methods;
use program::CodePoint;

/// What HotSpot would write if the instruction failed on null; `None` if it cannot. With `names`, local variables are named
/// from the class file's variable table, as far as there is one.
pub fn null_text(methods: &Methods, at: CodePoint, names: bool) -> Option<message::NullText> {
    let unit = methods.get(at.method)?;
    throws::null_text(&unit, at.at.bci, names)
}
