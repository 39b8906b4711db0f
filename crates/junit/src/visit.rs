//! All bodies of a recipe at once, how often each variable is used, and which ones from inside of other code.

use recipe::{Action, Arg, Body, Recipe, VarId};
use std::collections::{BTreeMap, BTreeSet};

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

/// Variables that a lambda or the body of a class uses and does not have itself; threads run lambdas.
pub(crate) fn captured(recipe: &Recipe) -> BTreeSet<VarId> {
    let mut captures = Captures::default();
    recipe.roots().into_iter().for_each(|body| captures.body(body, 0));
    captures.captured
}

#[derive(Default)]
struct Captures {
    /// In how many lambdas and class bodies each variable is introduced.
    depths: BTreeMap<VarId, usize>,
    captured: BTreeSet<VarId>,
}

impl Captures {
    fn body(&mut self, body: Body<'_>, depth: usize) {
        self.depths.extend(body.this.into_iter().chain(body.params.iter().map(|def| def.var)).map(|var| (var, depth)));
        for stmt in &body.block.stmts {
            stmt.action.args().for_each(|arg| self.used(arg, depth));
            let encloses = matches!(stmt.action, Action::Callback(_) | Action::Thread(_) | Action::Together(_));
            stmt.action.bodies().into_iter().for_each(|inner| self.body(inner, depth + usize::from(encloses)));
            self.depths.extend(stmt.def.map(|def| (def.var, depth)));
        }
        body.result.into_iter().for_each(|arg| self.used(arg, depth));
    }

    fn used(&mut self, arg: &Arg, depth: usize) {
        if let Some(var) = arg.var()
            && self.depths.get(&var).is_some_and(|introduced| *introduced < depth)
        {
            self.captured.insert(var);
        }
    }
}
