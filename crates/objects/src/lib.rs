//! How can I get a value of type T, as statements of a recipe?
//!
//! - [`Catalogue`]: all ways to a type that the class files show, each with its cost, its access and what it needs; the ways into a
//!   method; the members that change an object. Knows what cannot be made.
//! - [`build`]: makes the statements of a chosen way from given arguments.
//! - [`Pool`], filled by [`mine()`]: constants, types and texts that the code near the crash and its message speak of.
//! - [`Draft`]: a recipe under construction.
//!
//! Everything is found in class files, comes in a fixed order and can be listed; nothing is drawn. Which way is gone is for engines to
//! decide: `maker` throws dice, a symbolic engine solves. This crate knows nothing of fitness, targets or workers; it starts no JVM.

mod access;
pub mod build;
mod callable;
mod catalogue;
mod draft;
pub mod literals;
mod memo;
mod mine;
mod pool;
mod producers;
pub mod ranges;
mod registered;
mod relevance;
mod shapes;
mod subtypes;
#[cfg(test)]
mod testing;
mod usage;
mod weighted;
mod words;

pub use access::AccessContext;
pub use callable::{Argument, CallKind, Callable, Param};
pub use catalogue::{
    AnnotationType, Catalogue, Creation, Element, Entry, EntryPoint, Found, Holder, How, Keeper, Reader, Reflected,
    Stub, StubForm, Targets, Usable, Way, is_of_object,
};
pub use draft::{Checkpoint, Draft, Variable};
pub use mine::mine;
pub use pool::{Origin, Pool, Reflects, TextHint, is_generic_type};
pub use ranges::asks_for_too_much;
pub use relevance::Relevance;
pub use shapes::{HOLE, Notation, Shape};
pub use subtypes::nearest_subtypes;
pub use usage::{Event, Function, Usage, Value, ValueId, narrowed};
pub use weighted::Weighted;
pub use words::words_of;
