//! How is a recipe written as Java source that people like to read and every compiler accepts?
//!
//! [`print`] takes a recipe, facts about the classes it uses, and options; it gives back one source file. Nothing is run
//! or compiled here, and nothing is known about crashes but what the options say.
//!
//! The way of the data: [`access`](access) chooses the package, `inline` the values that need no variable, `lower` makes
//! Java syntax of the statements (names, casts, exceptions), `imports` settles what classes are called, `layout` writes the
//! lines.

mod access;
mod facts;
mod generics;
mod ident;
mod imports;
mod inline;
mod layout;
mod literal;
mod lower;
mod missing;
mod options;
mod overload;
mod print;
mod refused;
mod spelling;
mod style;
mod syntax;
mod typed;
mod visit;
mod world;

pub use facts::{ClassFact, ClassFacts, FieldFact, MethodFact, Nesting, ProgramFacts};
pub use options::{
    Expected, ExpectedFrame, Flags, Framework, Inexpressible, PrintOptions, Release, Style, TestSource, Use,
};
pub use print::print;
pub use refused::refused_uses;
