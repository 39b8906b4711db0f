//! All bodies of a recipe at once, and how often each variable is used.

use recipe::{Body, Recipe, VarId};
use std::collections::BTreeMap;

/// Every body: those of declared methods, the recipe's own, and what is nested in them; outer before inner.
pub(crate) fn bodies(recipe: &Recipe) -> Vec<Body<'_>> {
    let mut bodies = recipe.roots();
    let mut next = 0;
    while let Some(body) = bodies.get(next).copied() {
        next += 1;
        bodies.extend(body.block.stmts.iter().flat_map(|stmt| stmt.action.bodies()));
    }
    bodies
}

/// Variables that are used nowhere are left out.
pub(crate) fn uses(recipe: &Recipe) -> BTreeMap<VarId, usize> {
    let mut uses = BTreeMap::new();
    recipe.for_each_arg(&mut |arg| {
        if let Some(var) = arg.var() {
            *uses.entry(var).or_default() += 1;
        }
    });
    uses
}
