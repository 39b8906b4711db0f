//! What bytecode means, over terms: one transfer function per IR operation, for every symbolic engine.
//!
//! A [`State`] holds what the variables of a method and the regions of memory are, as terms over *leaves*: what they were where
//! the state began. Operations are applied to a state ([`State::apply`]); that is forward execution, and with constants in place
//! of leaves it is an interpreter. Applied to a state in which everything is its own leaf, a piece of code gives its
//! transformer, and a formula about the end of the piece becomes one about its beginning by putting the terms of the transformer in
//! place of the leaves ([`State::compose`]): that is backward execution. So the meaning of bytecode is written down once.
//!
//! - [`World`] has what all states share: the terms, leaves and their names, classes by number.
//! - [`Region`]: a field of all objects, the elements of all arrays of a kind, lengths, statics, the texts of strings.
//! - [`Paths`] runs methods forward, calls included, and gives [`Summary`]s: under which condition a method ends how.
//! - [`Stepper`] takes single ways further, for whoever decides which of them goes on.
//! - [`models`]: library methods whose meaning is written as terms and not read off their code.
//!
//! Two marks travel with every state ([`Marks`]): `cut`, a limit left ways out, and `loose`, unknown values were let in.

mod arithmetic;
mod classes;
mod forward;
mod guards;
mod leaves;
pub mod models;
mod rewriting;
mod stand_in;
mod state;
mod statics;
mod transfer;
mod world;

pub use classes::Classes;
pub use forward::{Bounds, Destination, End, Paths, Spot, Stepper, Summary, Way, arguments, entry_facts};
pub use guards::failure;
pub use leaves::{Leaf, Region};
pub use stand_in::{Held, Part, held, is_of_stand_in};
pub use state::{Marks, State};
pub use transfer::Applied;
pub use world::World;
