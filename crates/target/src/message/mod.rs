//! What messages say about the program: templates read off its bytecode, and what their holes hold. Templates as such, the
//! messages of the JVM and the JDK and helpful null-pointer texts are texts only, and known to `crash_report::message`.

pub(crate) mod facts;
mod format;
mod origin;
pub(crate) mod site;

use condition::Expr;
pub use crash_report::message::helpful::{self, Action, NullCause, NullText};
pub use crash_report::message::{Filling, HoleKind, Instance, template_matches};
use program::{ClassName, CodePoint};

/// An expression and the place where it has the value in question: just before the instruction `at` executes.
#[derive(Clone, Debug, PartialEq)]
pub struct Located {
    pub at: CodePoint,
    pub value: Expr,
}

pub type Template = crash_report::message::Template<Located>;
pub type Part = crash_report::message::Part<Located>;
pub type Hole = crash_report::message::Hole<Located>;

/// The templates of the JVM and the JDK that `message` of an exception of this class is an instance of, the one with the
/// most constant text first.
pub(crate) fn known(exception: ClassName, message: &str) -> Vec<Template> {
    crash_report::message::known::templates(exception.simple(), message)
}
