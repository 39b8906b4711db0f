//! Which of all the ways to a value is gone? Random recipes, guided by weights: whatever can be done is found by `objects` and
//! `documents`; this crate throws the dice, as a [`policy`] says, and keeps count of what worked.
//!
//! - [`Rng`]: the seeded generator that all randomness comes from, with the policy of whoever draws.
//! - [`Maker`]: goes a way and adds its statements to a draft.
//! - [`Draw`], [`DrawDocument`], [`literals`], [`documents`], [`mutate`]: constants, documents and changed ones.
//! - [`MemberStatistics`]: which members worked in this run.
//!
//! This crate knows nothing of fitness, targets or workers; it starts no JVM.

mod derive;
mod dice;
pub mod documents;
mod draw;
pub mod literals;
mod maker;
pub mod mutate;
mod statistics;
#[cfg(test)]
#[path = "../../objects/src/testing.rs"]
mod testing;

pub use derive::DrawDocument;
pub use dice::{Choose, Rng};
pub use draw::Draw;
pub use maker::{Hint, Maker, MakerConfig};
pub use statistics::{Member, MemberStatistics, Record};
