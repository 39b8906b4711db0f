//! Recipes at random, well typed by construction, for property tests here and in other crates.
//!
//! A [`Universe`] has the members to choose from; [`jdk`] is one of harmless members of the JDK. Recipes are made from a
//! list of numbers that decide each choice, so that proptest can shrink them.

mod generate;
mod universe;

pub use generate::{Flavour, generate};
pub use universe::{Universe, jdk};

use crate::Recipe;
use proptest::prelude::*;

/// Recipes over the JDK with all kinds of actions.
pub fn recipes() -> impl Strategy<Value = Recipe> {
    recipes_over(jdk(), Flavour::ALL)
}

/// Recipes over a universe.
pub fn recipes_over(universe: &Universe, flavour: Flavour) -> impl Strategy<Value = Recipe> {
    prop::collection::vec(any::<u16>(), 0..160).prop_map(move |choices| generate(universe, flavour, &choices))
}
