//! Algorithm 3 of the paper: two candidates exchange their ends.

use super::{Core, Tools};
use maker::{Hint, MakerConfig};
use objects::Draft;
use program::Type;
use recipe::{Arg, Recipe, Stmt, VarId};
use rustc_hash::FxHashMap;

impl Tools<'_> {
    /// Algorithm 3: the first statements of one parent, the last of the other, corrected.
    pub(crate) fn crossed(&mut self, first: &Recipe, second: &Recipe, core: &Core) -> Option<Recipe> {
        // Statements refer to the classes of their own recipe.
        if first.classes != second.classes {
            return None;
        }
        let cut = self.rng.f64();
        let head = (cut * first.body.stmts.len() as f64) as usize;
        let tail = (cut * second.body.stmts.len() as f64) as usize;
        let mut start = first.clone();
        start.body.stmts.truncate(head);
        let mut draft = Draft::after(start);
        let mut names: FxHashMap<VarId, Arg> = FxHashMap::default();
        for stmt in &second.body.stmts[tail..] {
            self.append_corrected(&mut draft, stmt, second, core, &mut names)?;
        }
        let child = draft.finish();
        core.find(&child).map(|_| child)
    }

    /// Adds a statement of another recipe; variables that are not there are replaced by fitting ones or made.
    fn append_corrected(
        &mut self,
        draft: &mut Draft,
        stmt: &Stmt,
        origin: &Recipe,
        core: &Core,
        names: &mut FxHashMap<VarId, Arg>,
    ) -> Option<()> {
        if !stmt.action.bodies().is_empty() {
            // Bodies bring variables of their own; crossing keeps to plain statements.
            return None;
        }
        let mut action = stmt.action.clone();
        for arg in action.args_mut() {
            let Arg::Var(var) = arg else { continue };
            if !names.contains_key(var) {
                let ty = type_in(origin, *var)?;
                let config = MakerConfig { reuse: self.rng.policy().mutation.reuse_in_crossing, ..self.config() };
                let value = self.maker(core.from, config).value(draft, ty, Hint::not_null())?;
                names.insert(*var, value);
            }
            *arg = names[var].clone();
        }
        match stmt.def {
            Some(def) => {
                names.insert(def.var, draft.define(action, def.ty));
            }
            None => draft.perform(action),
        }
        Some(())
    }
}

fn type_in(recipe: &Recipe, var: VarId) -> Option<Type> {
    recipe.body.stmts.iter().filter_map(|stmt| stmt.def).find(|def| def.var == var).map(|def| def.ty)
}
