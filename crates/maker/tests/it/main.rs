//! Tests of this crate on the jars of the crash packs. They need REENACT_JARS; `cargo xtask test` sets it.

#![expect(clippy::unwrap_used, reason = "a test that cannot open its jars had better stop there")]

#[path = "../../../objects/tests/it/common.rs"]
mod common;
mod packs;
mod real_jars;
mod snapshots;

/// Panics unless the recipe is well typed.
fn check(catalogue: &objects::Catalogue, recipe: &recipe::Recipe) {
    if let Err(errors) = recipe::check(recipe, catalogue) {
        panic!("{errors:?} in\n{recipe}");
    }
}
