//! What messages say: templates with holes, the messages of the JVM and the JDK read backwards, helpful null-pointer
//! texts.

pub(crate) mod facts;
mod format;
pub mod helpful;
pub mod known;
mod origin;
pub(crate) mod site;
pub mod template;

pub use helpful::{Action, NullCause, NullText};
pub use template::{Filling, Hole, HoleKind, Instance, Located, Part, Template, template_matches};
