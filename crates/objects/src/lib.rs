//! How can I get a value of type T, as statements of a recipe?
//!
//! - [`Catalogue`]: all ways to a type that the class files show, ranked; knows what cannot be made.
//! - [`Pool`], filled by [`mine`], and [`documents`]: constants and texts worth trying.
//! - [`Ledger`]: which ways worked in this run.
//! - [`Mix`]: random recipes over all public members of a program.
//! - [`Maker`]: goes a way and adds its statements to a [`Draft`], a recipe under construction.
//!
//! This crate knows nothing of fitness, targets or workers; it starts no JVM; all randomness comes from the [`Rng`] passed in.

mod callable;
mod catalogue;
mod choose;
pub mod documents;
mod draft;
mod ledger;
pub mod literals;
mod maker;
mod memo;
mod mine;
mod mix;
mod pool;
mod producers;
mod registered;
mod relevance;
mod subtypes;
#[cfg(test)]
mod testing;
mod usage;
mod vantage;
mod words;

pub use callable::{Argument, CallKind, Callable, Param};
pub use catalogue::{
    AnnotationType, Catalogue, Creation, Door, Element, Entry, Found, Holder, How, Keeper, Reflected, Stub, StubForm,
    Targets, Usable, Way,
};
pub use choose::{Choose, Rng, Weighted};
pub use draft::{Checkpoint, Draft, Variable};
pub use ledger::{Ledger, Member, Record};
pub use maker::{Habits, Hint, Maker, asks_for_too_much};
pub use mine::mine;
pub use mix::Mix;
pub use pool::{Origin, Pool, Reflects, TextHint};
pub use relevance::Relevance;
pub use usage::{Event, Usage, Value, ValueId};
pub use vantage::Vantage;
